"""What a person did that cannot be done: told in one sentence, exit code 2, no traceback."""


class UserError(Exception):
    """One clear sentence that says what is wrong and what to do."""
