"""The lab's own library; the commands beside it are thin."""
