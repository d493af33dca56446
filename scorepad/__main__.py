"""Lets `python -m scorepad` do what the command `scorepad` does."""

from scorepad import cli


def main() -> None:
    """Run the command line and leave with its exit status."""
    cli.main()


if __name__ == "__main__":
    main()
