"""The parts of schemas/import.py."""
