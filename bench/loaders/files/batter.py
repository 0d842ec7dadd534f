def batter(height, foot, slope=0.15):
    """Width of a wall at a height above its foot."""
    width = foot - height * slope
    if width < 0.3:
        raise ValueError("too thin to stand")
    return width


for course in range(4):
    print(course, round(batter(course * 0.25, 0.7), 3))
