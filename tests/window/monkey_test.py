"""The real window under random use; monkey.py does the same for as long as one likes."""

import unittest

import monkey


class RandomUse(unittest.TestCase):
    def test_random_use(self):
        for seed in (1, 2):
            self.assertGreater(monkey.go(8, seed), 50)


if __name__ == "__main__":
    unittest.main()
