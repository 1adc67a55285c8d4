"""`python -m companion` is the same as `broadside`."""

import sys

from companion.cli import main

sys.exit(main())
