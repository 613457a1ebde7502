"""How the window opens the shipped scenes ("show", docs/reference/scene-format.md), and a first thing to try in each.
Used by make_scenes.py."""

CCD = {"parameters": ["continuous"]}


def box_of(x, y, z):
    """The corners of a rectangle about the origin, at that height."""
    return [[a, b, z] for a in (-x, x) for b in (-y, y)]


def key(time, eye, target):
    """A pose of a camera path."""
    return {"time": time, "eye": eye, "target": target}


def label(text, body=None, at=None):
    return {"text": text} | ({"body": body} if body else {}) | ({"at": at} if at else {})


SHOW = {
    "bounces": {"labels": [label(f"elasticity {e}", at=[3 * (i - 2), -1.3, 0.1])
                           for i, e in enumerate(("0", "0.3", "0.5", "0.8", "1"))]},
    "billiards": {"points": [[x, y, 2] for x in (-10.5, 10.5) for y in (-5.5, 5.5)]},
    "car": {"follow": "chassis"},
    "chairs": {"points": box_of(3, 3, 0)},
    "chandelier": {"points": [[-2.5, 0, 7.2], [2.5, 0, 7.2]]},
    "cradle": {"points": box_of(8.4, 2.9, 0.4), "labels": [label(text, at=[-8.2, 2.2 * row, 1.3]) for row, text in enumerate(("one", "two", "three"), -1)]},
    "cup": {"points": [[-2, -3, 0], [7, -3, 0], [7, 3, 0]]},
    # With the front of what falls, and back to see the last one go.
    "domino_run": {"path": [key(0, [4, -24, 17], [-0.6, -1.3, 0]), key(2, [-5.5, 4, 3.2], [0.3, 7.5, 0.3]),
                            key(3.6, [-0.5, 1.5, 3.4], [3.9, 4.8, 0.3]), key(6, [2, -1.5, 3.4], [-4.1, 2.5, 0.3]),
                            key(8, [-2.5, -5.2, 3.6], [-7.5, -1.5, 0.3]), key(10.5, [-4.5, -6.8, 3.6], [1, -2.8, 0.3]),
                            key(13, [4, -11.5, 3.6], [-2.6, -7, 0.5]), key(15.2, [-1, -14, 4], [-8.4, -8.6, 0.9]),
                            key(18, [4, -24, 17], [-0.6, -1.3, 0])]},
    "duel": {"speed": 0.02, "labels": [label("100 m/s", "sphere", [0, 0, 0.9]), label("100 m/s", "diamond", [0, 0, 1.4])],
             **CCD},
    "flight": {"points": [[22, -5, 0], [22, 10, 0]],
               "labels": [label(f"{angle}\N{DEGREE SIGN}", f"thrown at {angle} degrees", [0, 0, 1])
                          for angle in (15, 30, 45, 60, 75)]
               + [label(mass, f"falling, {mass}", [0, 0, 1]) for mass in ("1 kg", "1000 kg")]},
    "free_tops": {"labels": [label("turns over", "handle", [0, 0, 1.4]), label("turns over", "book", [0, 0, 1.4]),
                             label("wobbles", "disc", [0, 0, 1.4])]},
    "marble_ramp": {"points": [[-6.4, 0, 12.5], [5.6, 0, 11], [-9.8, 0, 0], [6, 0, 0]]},
    "marble_run": {"points": box_of(4.6, 4.6, 0) + box_of(4.6, 4.6, 6.4)},
    "mill": {"points": box_of(4, 2, 0) + box_of(4, 2, 5)},
    "ragdoll": {"points": box_of(0.8, 0.8, 0)},
    "ragdolls": {"points": [[8.5, -5, 0], [8.5, 5, 0]]},
    "lanes": {"points": [[10, -4, 0.3], [10, 4, 0.3], [-9.4, -4, 4.2], [-9.4, 4, 4.2]],
              "labels": [label(name, f"on {name}", [0, 0, 0.8]) for name in ("ice", "steel", "wood", "rubber")]},
    "rolling": {"points": [[17.3, -6, 0], [17.3, 6, 0]],
                "labels": [label(text, body, [0, 0, 1.1]) for text, body in (
                    ("ball", "ball, 5/7"), ("cylinder", "cylinder, 2/3"), ("capsule", "capsule"),
                    ("box without friction", "box without friction, 1"))]},
    "seams": {"points": [[10, -5, 0], [10, 5, 0]]},
    "sheets": {"speed": 0.02, "points": [[x, y, 2] for x in (0, 3.2) for y in (-3.8, 3.8)],
               "labels": [label(f"{thickness} m", at=[thickness / 2, 2 * index - 3, 2.4])
                          for index, thickness in enumerate((0.05, 0.2, 0.5, 3))]
               + [label("120 m/s", "bullet 1", [0, 0, 0.4])], **CCD},
    "slope": {"points": [[13, -6, 0], [13, 6, 0]],
              "labels": [label(f"friction {friction}", f"box {friction}", [0, 0, 0.8])
                         for friction in ("0", "0.2", "0.4", "0.45", "0.48", "0.6")]
              + [label("25\N{DEGREE SIGN}", at=[8.3, -6.2, 0.7])]},
    "spinning": {"labels": [label(f"{spin} rad/s", f"disc, {spin} rad/s", [0, 0, 0.5]) for spin in (0, 6, 18)]},
    # Along with the balls, and under the deck while they are on it.
    "suspension_bridge": {"path": [key(0, [6, -36, 13], [-2, 0, 4.5]), key(3, [-17, -9, 7.5], [-10, 0, 4.7]),
                                   key(7, [-6.5, -8.5, 3.2], [-1, 0, 4.9]), key(11, [7, -8, 6.8], [5.5, 0, 4.6]),
                                   key(15, [20, -10, 7.5], [12, 0, 4.7]), key(19, [6, -36, 13], [-2, 0, 4.5])]},
    "tumbling": {"points": [[12.5, -8, 0], [12.5, 9, 0]]},
    "valley": {"points": [[26, -8, 1], [26, 8, 9], [5, -9, 0.5]]},
    "wall_shot": {"speed": 0.15, "follow": "sphere", "labels": [label("100 m/s", "sphere", [0, 0, 0.9])]},
}

TRIES = {
    "arch": "pull out a stone.",
    "beams": "drag a beam out of the middle.",
    "billiards": "throw the cue ball yourself.",
    "bounces": "drop them again on the Moon.",
    "bridge": "put something heavy on it.",
    "car": "take the wheel with Y.",
    "chairs": "pull one out of the heap.",
    "chandelier": "drag the lamp until its chain breaks.",
    "columns": "push the highest one near its foot.",
    "cradle": "lift two balls and let go.",
    "crane": "drag the crate while it hangs.",
    "cup": "throw a ball at the cup while it pours.",
    "curtain": "throw more balls into it.",
    "diamond_rain": "blast the heap.",
    "domino_run": "take one out, and start it again.",
    "duel": "run it again without CCD.",
    "flight": "throw them again on the Moon.",
    "free_tops": "push the disc at its rim.",
    "gears": "hold the large one, or throw a ball between the teeth.",
    "golf": "let a ball go anywhere on it.",
    "house_of_cards": "take out a card at the bottom.",
    "lanes": "click the slope and change the friction of a lane.",
    "letters": "blast the heap.",
    "marble_ramp": "put something in their way.",
    "marble_run": "make the marbles slippery.",
    "meeting": "blast the middle when they meet.",
    "mill": "pour in more grain.",
    "mixed_rain": "change gravity while it pours.",
    "parting": "spawn more into the same place.",
    "piston_engine": "select the crank and change its motor.",
    "pyramid": "take away a box at the corner.",
    "ragdoll": "pull it back up by a hand.",
    "ragdolls": "drag one back to the top.",
    "rings": "hang something on it.",
    "rolling": "change the friction of the box.",
    "sandbox": "blast the heap.",
    "seams": "raise the friction of one of them.",
    "seesaw": "move the weight and restart.",
    "sheets": "run it again without CCD.",
    "slope": "change a box's friction while it slides.",
    "spinning": "change the friction of a disc.",
    "suspension_bridge": "delete a hanger or two.",
    "tower": "pull a box out of the middle.",
    "tumbling": "drag a table back up the stairs.",
    "valley": "throw a ball from the rim.",
    "wall": "throw balls at what is left.",
    "wall_shot": "make the sphere ten times as fast.",
    "wrecking_ball": "drag the ball back and let go.",
}
