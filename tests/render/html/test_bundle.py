"""The modules of the page's script, joined."""

import re

from mcpsniff.render.html import bundle


def test_modules_stand_behind_what_they_import():
    """Whatever a module takes from another was given before."""
    seen = set()
    for line in bundle.script().splitlines():
        needed = re.match(r'const \{.*\} = modules\["(\w+)"\];', line)
        given = re.match(r'modules\["(\w+)"\] = ', line)
        if needed:
            assert needed[1] in seen
        if given:
            seen.add(open_module := given[1])
    assert open_module == bundle.MAIN


def test_every_file_has_its_place():
    """No module and no sheet lies there unused."""
    folder = bundle._FOLDER
    assert {path.stem for path in (folder / "script").glob("*.js")} == set(
        re.findall(r'^modules\["(\w+)"\]', bundle.script(), re.M)
    )
    assert {path.stem for path in (folder / "style").glob("*.css")} == set(bundle.SHEETS)


def test_what_is_imported_is_exported():
    """Every name that a module takes is one that the other gives."""
    given, taken = {}, []
    for name, body in re.findall(r'^modules\["(\w+)"\] = \(\(\) => \{\n(.*?)^\}\)\(\);', bundle.script(), re.M | re.S):
        given[name] = set(re.findall(r"\w+", re.findall(r"^return \{(.*)\};", body, re.M)[-1]))
        taken += [
            (of, name)
            for names, of in re.findall(r'^const \{(.*)\} = modules\["(\w+)"\];', body, re.M)
            for name in re.findall(r"\w+", names)
        ]
    assert taken
    assert [(of, name) for of, name in taken if name not in given[of]] == []


def test_nothing_ends_its_element():
    """Neither text can end the element that it stands in, and no module and no sheet asks for something elsewhere."""
    assert "</" not in bundle.script()
    assert "<!--" not in bundle.script()
    assert "<" not in bundle.style()
    assert not re.search(r"@import|url\(", bundle.style())
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|fetch\(", bundle.script()
    )
