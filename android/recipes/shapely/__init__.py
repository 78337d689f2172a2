"""Shapely 2 for Android (the stock recipe builds 1.7a1, whose functions the geometry outgrew)."""

from pathlib import Path

from pythonforandroid.recipe import PyProjectRecipe, Recipe


class ShapelyRecipe(PyProjectRecipe):
    """Told where our GEOS and numpy's headers lie, it asks no geos-config."""

    version = "2.1.2"
    url = "https://github.com/shapely/shapely/archive/refs/tags/{version}.tar.gz"
    depends = ["libgeos", "numpy"]  # noqa: RUF012  (the name and the kind are p4a's)
    hostpython_prerequisites = ["Cython~=3.1", "numpy"]  # noqa: RUF012
    need_stl_shared = True

    def get_recipe_env(self, arch, **more):
        """The paths of what it is built on."""
        env = super().get_recipe_env(arch, **more)
        geos = Path(Recipe.get_recipe("libgeos", self.ctx).get_build_dir(arch.arch)) / "installed"
        env["GEOS_INCLUDE_PATH"] = str(geos / "include")
        env["GEOS_LIBRARY_PATH"] = str(geos / "lib")
        headers = Recipe.get_recipe("numpy", self.ctx).get_include(arch)
        env["CFLAGS"] = f"{env.get('CFLAGS', '')} -I{headers}"
        return env


recipe = ShapelyRecipe()
