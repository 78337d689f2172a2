"""GEOS for Android, new enough for Shapely 2 (the stock recipe builds 3.7.1)."""

from multiprocessing import cpu_count
from pathlib import Path

import sh
from pythonforandroid.recipe import Recipe
from pythonforandroid.toolchain import shprint
from pythonforandroid.util import current_directory


class GeosRecipe(Recipe):
    """Configured by CMake with the NDK's own toolchain file, then installed beside its source."""

    version = "3.13.1"
    url = "https://download.osgeo.org/geos/geos-{version}.tar.bz2"
    built_libraries = {  # noqa: RUF012  (the name and the kind are p4a's)
        "libgeos.so": "installed/lib",
        "libgeos_c.so": "installed/lib",
    }
    need_stl_shared = True

    def build_arch(self, arch):
        """Build and install for one architecture."""
        source = Path(self.get_build_dir(arch.arch))
        work, target = source / "work", source / "installed"
        work.mkdir(exist_ok=True)
        toolchain = Path(self.ctx.ndk_dir) / "build" / "cmake" / "android.toolchain.cmake"
        settings = {
            "CMAKE_TOOLCHAIN_FILE": toolchain,
            "ANDROID_ABI": arch.arch,
            "ANDROID_NATIVE_API_LEVEL": self.ctx.ndk_api,
            "ANDROID_STL": self.stl_lib_name,
            "ANDROID_SUPPORT_FLEXIBLE_PAGE_SIZES": "ON",
            "CMAKE_INSTALL_PREFIX": target,
            "CMAKE_BUILD_TYPE": "Release",
            "BUILD_SHARED_LIBS": "ON",
            "BUILD_TESTING": "OFF",
            "BUILD_GEOSOP": "OFF",
        }
        env = self.get_recipe_env(arch)
        with current_directory(str(work)):
            told = [f"-D{name}={value}" for name, value in settings.items()]
            shprint(sh.cmake, str(source), *told, _env=env)
            shprint(sh.make, f"-j{cpu_count()}", "install", _env=env)


recipe = GeosRecipe()
