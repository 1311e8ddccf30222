"""Figures of many rounds as a table: medians, spread, and ratios round by round."""
import statistics

PRODUCT = "contactsync"
SERIES = "all ms"  # a figure whose name ends so is a list of single times, of which the table shows quantiles
QUANTILES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def figures(samples):
    """Single figures of one contender's rounds: {figure: {round: value}}; of series the quantiles."""
    found = {}
    for sample in samples:
        for name, value in sample["figures"].items():
            if name.endswith(SERIES):
                times = [t for t in value if t is not None]
                for mark, share in QUANTILES.items() if times else ():
                    key = f"{name.removesuffix(SERIES)}{mark} ms".strip()
                    found.setdefault(key, {})[sample["round"]] = quantile(times, share)
                if len(times) < len(value):
                    found.setdefault("missed", {})[sample["round"]] = len(value) - len(times)
            elif value is not None:
                found.setdefault(name, {})[sample["round"]] = value
    return found


def lines(samples, rows):
    """The table as dictionaries, one a row, size, figure and contender."""
    out = []
    for row in rows:
        for size in sorted({s["size"] for s in samples if s["row"] == row.name}):
            here = [s for s in samples if s["row"] == row.name and s["size"] == size]
            names = list(dict.fromkeys(s["contender"] for s in here))
            by_name = {name: figures([s for s in here if s["contender"] == name]) for name in names}
            product = by_name.get(PRODUCT, {})
            for figure in dict.fromkeys(f for all_ in by_name.values() for f in all_):
                for name in names:
                    values = by_name[name].get(figure)
                    if values is None:
                        continue
                    mine = product.get(figure, {})
                    ratios = [mine[r] / values[r] for r in values if r in mine and values[r]] if name != PRODUCT else []
                    out.append({
                        "row": row.name, "title": row.title, "size": size, "figure": figure, "contender": name,
                        "rounds": len(values), "median": statistics.median(values.values()),
                        "least": min(values.values()), "most": max(values.values()),
                        "ratio": statistics.median(ratios) if ratios else None,
                        "ratioLeast": min(ratios, default=None), "ratioMost": max(ratios, default=None),
                        "slow": any(s.get("slow") for s in here if s["contender"] == name),
                    })
            for failure in (s for s in here if s.get("failed")):
                out.append({
                    "row": row.name, "title": row.title, "size": size, "contender": failure["contender"],
                    "failed": failure["failed"],
                })
    return out


def short(value):
    """A number with three digits that count."""
    if value is None:
        return ""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.{2 if abs(value) >= 1 else 3}f}"


def markdown(table):
    """The table as people read it."""
    out = ["| size | figure | who | median | spread | contactsync ÷ it |", "|---|---|---|---|---|---|"]
    title = None
    for line in table:
        if line["title"] != title:
            title = line["title"]
            out.append(f"| **{title}** | | | | | |")
        if "failed" in line:
            out.append(f"| {line['size']:,} | | {line['contender']} | failed: {line['failed'][:100]} | | |")
            continue
        once = "" if line["rounds"] > 1 else "slow, once" if line["slow"] else "once"
        spread = once or f"{short(line['least'])} – {short(line['most'])}"
        ratio = ""
        if line["ratio"] is not None:
            ratio = f"{short(line['ratio'])}"
            if line["rounds"] > 1:
                ratio += f" ({short(line['ratioLeast'])} – {short(line['ratioMost'])})"
        out.append(
            f"| {line['size']:,} | {line['figure']} | {line['contender']} | {short(line['median'])} | {spread} | {ratio} |"
        )
    return "\n".join(out)
