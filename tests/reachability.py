"""Which functions of the product are reached from its entry points, and which from tests alone.

Read from the source, nothing is run. A name is followed to what it was imported from; an
attribute of an unknown object may be any method of that name, so that what is called unreached
here is not used by any route.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import FunctionType

import companion

ROOT = Path(__file__).parents[1]
PRODUCT = ("companion", "calibration", "models")
MODULE = ""
"""The qualified name of a module's own statements."""
NUMBER = re.compile(r"\b((?:[A-Z]+-){1,3})(\d+)(?:\.\.(\d+))?")
FOUND_BY_FOLDER = re.compile(r"companion\.games\.\w+\.(game|play|rival|screen)")
"""Modules that `companion.games` and `companion.session` find by looking into the folder."""
REGISTERS_NOTHING = {
    "property",
    "classmethod",
    "staticmethod",
    "cached_property",
    "cache",
    "lru_cache",
    "contextmanager",
    "dataclass",
    "runtime_checkable",
}
"""Decorators that call nothing with the function; others hand it to somebody who may."""

Place = tuple[str, str]
"""A module and a qualified name in it."""


@dataclass(slots=True)
class Definition:
    """A function, a method, a class or a module's own statements: what it names."""

    place: Place
    first_line: int
    last_line: int
    names: set[str] = field(default_factory=set)
    attributes: set[tuple[str, ...]] = field(default_factory=set)
    """Dotted names as far as they are plain: `a.b.c`; an expression in front is empty."""
    imports: set[str] = field(default_factory=set)
    registered: bool = False
    foreign: bool = False
    """A class with a base outside the product, which may call every method."""


@dataclass(slots=True)
class Module:
    """One source file."""

    name: str
    text: str
    package: bool
    aliases: dict[str, tuple[str, str]] = field(default_factory=dict)
    """What a name was imported from: a module, and the name in it or nothing."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    fields: set[str] = field(default_factory=set)
    """Attributes that classes declare."""

    def around(self, line: int) -> Definition:
        """The innermost definition that a line belongs to."""
        inside = [
            one for one in self.definitions.values() if one.first_line <= line <= one.last_line
        ]
        return min(inside, key=lambda one: one.last_line - one.first_line)


class Program:
    """All modules of a source tree and what they name."""

    def __init__(self, modules: Mapping[str, Module]) -> None:
        self.modules = modules
        self.methods: dict[str, list[Place]] = {}
        for module in modules.values():
            for name in module.definitions:
                owner, _, method = name.rpartition(".")
                if owner:
                    self.methods.setdefault(method, []).append((module.name, name))

    def resolve(self, module: str, name: str, depth: int = 0) -> Place | None:
        """The definition or module that a name means in a module."""
        if module not in self.modules or depth > 9:
            return None
        here = self.modules[module]
        if name in here.definitions:
            return module, name
        if name in here.aliases and here.aliases[name] != (module, name):  # else its own submodule
            source, wanted = here.aliases[name]
            if not wanted:
                return (source, MODULE) if source in self.modules else None
            return self.resolve(source, wanted, depth + 1)
        inner = f"{module}.{name}"
        return (inner, MODULE) if inner in self.modules else None

    def named(self, place: Place) -> tuple[set[Place], set[str]]:
        """What a definition names: other definitions, and attributes of unknown objects."""
        module, _ = place
        definition = self.modules[module].definitions[place[1]]
        found = {(name, MODULE) for name in definition.imports if name in self.modules}
        loose: set[str] = set()
        for name in definition.names:
            if target := self.resolve(module, name):
                found.add(target)
        for dotted in definition.attributes:
            target = self.resolve(module, dotted[0]) if dotted[0] else None
            for attribute in dotted[1:]:
                target = self.member(target, attribute) if target else None
                if target:
                    found.add(target)
                else:
                    loose.add(attribute)
        return found, loose

    def member(self, place: Place, name: str) -> Place | None:
        """What `name` means as an attribute of a module or class."""
        module, owner = place
        if owner == MODULE:
            return self.resolve(module, name)
        inner = f"{owner}.{name}"
        return (module, inner) if inner in self.modules[module].definitions else None

    def reached(self, roots: Iterable[Place]) -> set[Place]:
        """Everything that can run when the roots run."""
        seen: set[Place] = set()
        attributes: set[str] = set()
        todo = [root for root in roots if root[0] in self.modules]
        while todo:
            place = todo.pop()
            if place in seen:
                continue
            seen.add(place)
            found, loose = self.named(place)
            todo += found
            todo += self.always(place)
            new = loose - attributes
            attributes |= new
            todo += [
                method
                for name in new
                for method in self.methods.get(name, ())
                if owner(method) in seen
            ]
            todo += [
                (place[0], name)
                for name in self.modules[place[0]].definitions
                if owner((place[0], name)) == place and name.rpartition(".")[2] in attributes
            ]
        return seen

    def always(self, place: Place) -> Iterator[Place]:
        """What runs with a place by itself: its module, registered functions, special methods."""
        module, name = place
        here = self.modules[module].definitions
        if name != MODULE:
            yield module, MODULE
            outer = owner(place)
            if outer[1] != MODULE:
                yield outer
        for other, definition in here.items():
            if owner((module, other)) != place:
                continue
            last = other.rpartition(".")[2]
            special = name != MODULE and (here[name].foreign or re.fullmatch(r"__\w+__", last))
            if special or definition.registered:
                yield module, other
        package = module.rpartition(".")[0]
        if package in self.modules:
            yield package, MODULE


def owner(place: Place) -> Place:
    """The class or module that a definition stands in."""
    return place[0], place[1].rpartition(".")[0]


def spelled(place: Place) -> str:
    """A place as a dotted name."""
    return ".".join(part for part in place if part)


def read(paths: Iterable[tuple[str, Path]]) -> Program:
    """The program of these modules by name."""
    modules = {}
    for name, path in paths:
        text = path.read_text(encoding="utf-8")
        module = Module(name, text, path.name == "__init__.py")
        tree = ast.parse(text)
        whole = Definition((name, MODULE), 1, text.count("\n") + 1)
        module.definitions[MODULE] = whole
        for statement in tree.body:
            _define(module, statement, MODULE, whole)
        modules[name] = module
    for module in modules.values():
        for definition in module.definitions.values():
            definition.imports |= {
                f"{source}.{wanted}"
                for source in definition.imports
                for wanted in [alias[1] for alias in module.aliases.values() if alias[0] == source]
                if f"{source}.{wanted}" in modules
            }
    return Program(modules)


def _define(module: Module, node: ast.AST, scope: str, into: Definition) -> None:
    """Note what a statement defines, names and imports."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        decorators = [_last_name(one) for one in node.decorator_list]
        lines = [node.lineno, *(one.lineno for one in node.decorator_list)]
        if into.place[1] == scope:  # not a function inside a function
            name = f"{scope}.{node.name}" if scope else node.name
            inner = Definition((module.name, name), min(lines), node.end_lineno or node.lineno)
            inner.registered = any(one not in REGISTERS_NOTHING for one in decorators)
            module.definitions.setdefault(name, inner)
            inner = module.definitions[name]
            inner.last_line = node.end_lineno or node.lineno
        else:
            name, inner = scope, into
        if isinstance(node, ast.ClassDef):
            bases = {_last_name(base) for base in node.bases}
            inner.foreign = bool(bases - {"", "Protocol", "Generic", "NamedTuple", "Enum"})
            for part in node.body:
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    module.fields.add(part.target.id)
                _define(module, part, name, inner)
            for value in (*node.bases, *node.decorator_list, *node.keywords):
                _name(module, value, inner)
        else:
            for child in ast.iter_child_nodes(node):
                _name(module, child, inner)
        return
    _name(module, node, into)


def _name(module: Module, node: ast.AST, into: Definition) -> None:
    """Note the names, attributes and imports of an expression or statement."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            into.names.add(part.id)
        elif isinstance(part, ast.Attribute):
            into.attributes.add(_dotted(part))
        elif isinstance(part, ast.Import):
            for alias in part.names:
                module.aliases[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0],
                    "",
                )
                into.imports.add(alias.name)
        elif isinstance(part, ast.ImportFrom):
            source = _source(module, part)
            into.imports.add(source)
            for alias in part.names:
                module.aliases[alias.asname or alias.name] = (source, alias.name)


def _source(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = module.name if module.package else module.name.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{node.module}" if node.module else package


def _dotted(node: ast.Attribute) -> tuple[str, ...]:
    names = [node.attr]
    inner: ast.expr = node.value
    while isinstance(inner, ast.Attribute):
        names.append(inner.attr)
        inner = inner.value
    names.append(inner.id if isinstance(inner, ast.Name) else "")
    return tuple(reversed(names))


def _last_name(node: ast.AST) -> str:
    """The last word of a decorator or base: `functools.cache` is `cache`."""
    if isinstance(node, ast.Call | ast.Subscript):
        return _last_name(node.func if isinstance(node, ast.Call) else node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def files(*tops: str) -> Iterator[tuple[str, Path]]:
    """The modules under folders of the source tree, or of single files."""
    for top in tops:
        path = ROOT / top
        every = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        for one in every:
            name = ".".join(one.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), one


def entry_points(modules: Iterable[str]) -> Iterator[Place]:
    """Where the product starts: its commands, `python -m`, the tablet's main, every game."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for command in project["scripts"].values():
        module, _, function = command.partition(":")
        yield module, function
    for module, names in companion.PLACES.items():  # what other programs import
        for name in names:
            yield module, name
            for part, value in vars(getattr(companion, name)).items():
                written = isinstance(value, FunctionType | classmethod | property)
                if written and not part.startswith("_"):
                    yield module, f"{name}.{part}"
    for name in modules:
        if name == "main" or name.endswith(".__main__") or FOUND_BY_FOLDER.fullmatch(name):
            yield name, MODULE


@cache
def product() -> tuple[Program, frozenset[Place]]:
    """The product, and what of it is reached from its entry points."""
    program = read(files(*PRODUCT, "main"))
    return program, frozenset(program.reached(entry_points(program.modules)))


def cited(program: Program) -> dict[str, set[Place]]:
    """The definitions that name each rule number, in code, docstring or comment."""
    found: dict[str, set[Place]] = {}
    for module in program.modules.values():
        for at, line in enumerate(module.text.splitlines(), 1):
            for stem, first, last in NUMBER.findall(line):
                place = module.around(at).place
                for number in range(int(first), int(last or first) + 1):
                    found.setdefault(f"{stem}{number}", set()).add(place)
    return found


class Suite:
    """The test modules: which definitions of the product a test names, itself or by its helpers."""

    def __init__(self, program: Program, reached: Iterable[Place]) -> None:
        self.reached = frozenset(reached)
        self.tests = read(files("tests"))
        self.known: dict[Place, set[Place]] = {}
        self.every = Program({**program.modules, **self.tests.modules})
        self.unreached = {
            place
            for module in program.modules.values()
            for place in [(module.name, name) for name in module.definitions]
            if place not in self.reached
        }
        fields = {name for module in program.modules.values() for name in module.fields}
        self.unreached_methods = {
            name: places
            for name, places in program.methods.items()
            if name not in fields and not self.reached.intersection(places)
        }

    def rests_on(self, test: str) -> set[Place]:
        """The definitions only tests reach that a test names; a test as pytest names it."""
        path, *names = test.partition("[")[0].split("::")
        module = path.removesuffix(".py").replace("/", ".")
        place = (module, ".".join(names))
        if module not in self.tests.modules:
            return set()  # a doctest: it stands in the product
        if place not in self.known:
            self.known[place] = self.named_from(place)
        return set(self.known[place])

    def named_from(self, place: Place) -> set[Place]:
        """The unreached definitions that a function of the tests names, with its helpers."""
        found: set[Place] = set()
        seen: set[Place] = set()
        todo = [place]
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            named, loose = self.every.named(here)
            todo += [one for one in named if one[0] in self.tests.modules and one[1] != MODULE]
            found |= {one for one in named if one in self.unreached and one[1] != MODULE}
            found |= {one for name in loose for one in self.unreached_methods.get(name, ())}
        return found
