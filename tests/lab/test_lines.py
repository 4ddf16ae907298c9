"""One line of a settings file, changed and put back."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lab"))
from kit import lines  # noqa: E402

TEXT = """# top
alpha = 1

[one]
  beta = 2
gamma = 3

[two]
gamma = 4
"""


class Lines(unittest.TestCase):
    def changed(self, section, key, value, text=TEXT):
        new, old = lines.with_value(text, section, key, value)
        self.assertEqual(lines.put_back(new, section, key, old), text)
        return new

    def test_a_value_is_set_in_its_own_section(self):
        self.assertIn("[two]\ngamma = 5\n", self.changed("two", "gamma", "5"))
        self.assertIn("[one]\n  beta = 2\ngamma = 3\n", self.changed("two", "gamma", "5"))

    def test_a_line_is_taken_away_and_put_back_where_it_was(self):
        self.assertNotIn("beta", self.changed("one", "beta", None))
        self.assertNotIn("alpha", self.changed("", "alpha", None))

    def test_a_new_key_goes_to_the_end_of_its_section(self):
        self.assertIn("gamma = 3\ndelta = 9\n\n[two]", self.changed("one", "delta", "9"))
        self.assertIn("alpha = 1\ndelta = 9\n", self.changed("", "delta", "9"))

    def test_a_new_section_goes_again_too(self):
        self.assertTrue(self.changed("three", "x", "y").endswith("[three]\nx = y\n"))

    def test_taking_away_what_is_not_there_changes_nothing(self):
        self.assertEqual(self.changed("one", "omega", None), TEXT)

    def test_an_empty_file(self):
        self.assertEqual(self.changed("", "A", "b", ""), "A=b\n")

    def test_another_change_in_between_stays(self):
        first, old = lines.with_value(TEXT, "one", "beta", "7")
        second, _ = lines.with_value(first, "one", "gamma", "8")
        back = lines.put_back(second, "one", "beta", old)
        self.assertIn("  beta = 2\ngamma = 8\n", back)


if __name__ == "__main__":
    unittest.main()
