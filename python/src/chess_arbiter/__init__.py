"""Chess PGN toolkit ``arbiter``: jobs for Python programs."""
