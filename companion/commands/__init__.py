"""The commands of the command line, one file each: `configure(parser)` and `run(arguments)`."""
