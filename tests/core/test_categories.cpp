#include "core/profile/profile.hpp"

#include "tests/core/catch.hpp"

using namespace crema;
using namespace crema::profile;

TEST_CASE("a frame's category is that of its package, by path") {
  const auto in_site = [](const char* rest) {
    return category_of(std::string("/opt/venv/lib/python3.11/site-packages/") + rest);
  };
  CHECK(in_site("coffea/processor/executor.py") == Category::coffea);
  CHECK(in_site("roastcoffea/decorator.py") == Category::coffea);
  CHECK(in_site("awkward/highlevel.py") == Category::awkward);
  CHECK(in_site("uproot/reading.py") == Category::uproot);
  CHECK(in_site("vector/_methods.py") == Category::numeric);
  CHECK(in_site("lz4/block/__init__.py") == Category::numeric);
  CHECK(in_site("xxhash.py") == Category::numeric);
  CHECK(in_site("correctionlib/highlevel.py") == Category::numeric);
  CHECK(in_site("hist/basehist.py") == Category::hist);
  CHECK(in_site("boost_histogram/histogram.py") == Category::hist);
  CHECK(in_site("fsspec/spec.py") == Category::io);
  CHECK(in_site("XRootD/client/file.py") == Category::io);
  CHECK(in_site("distributed/worker.py") == Category::dask);
  CHECK(in_site("psutil/_common.py") == Category::other);
  CHECK(in_site("histology/a.py") == Category::other);
  CHECK(category_of("/usr/lib/python3/dist-packages/numpy/core/numeric.py") == Category::numeric);
}

TEST_CASE("the standard library, native code and generated code") {
  CHECK(category_of("/opt/python/lib/python3.11/threading.py") == Category::stdlib);
  CHECK(category_of("/usr/lib64/python3.9/json/decoder.py") == Category::stdlib);
  CHECK(category_of("C:\\Python311\\Lib\\json\\decoder.py") == Category::stdlib);
  CHECK(category_of("/opt/python/lib/python3.11/ssl.py") == Category::io);
  CHECK(category_of("/opt/python/lib/python3.11/http/client.py") == Category::io);
  CHECK(category_of("<frozen importlib._bootstrap>") == Category::stdlib);
  CHECK(category_of("<built-in>") == Category::native);
  CHECK(category_of("<low-level>") == Category::native);
  CHECK(category_of("<__array_function__ internals>") == Category::numeric);
  CHECK(category_of("<string>") == Category::other);
  CHECK(category_of("") == Category::other);
}

TEST_CASE("everything else is your analysis, but for packages in a source checkout") {
  CHECK(category_of("/home/user/analysis/zprime_analysis.py") == Category::analysis);
  CHECK(category_of("/home/user/coffea/my_coffea_analysis.py") == Category::analysis);
  CHECK(category_of("/home/user/crema/python/cremascope/executors.py") == Category::other);
  CHECK(category_of("/srv/dask-scratch-space/worker-x1/ana.py") == Category::analysis);
  CHECK(category_of("<ipython-input-3-abc>") == Category::analysis);
  CHECK(category_of("<dynamic-code>") == Category::analysis);
  CHECK(category_of("<crema>") == Category::other);
  CHECK(category_of("/tmp/ipykernel_123/456.py") == Category::analysis);
  CHECK(category_of("C:\\Users\\me\\ana.py") == Category::analysis);
  CHECK(category_of("/home/user/analysis/roastcoffea/src/roastcoffea/decorator.py") ==
        Category::coffea);
  CHECK(category_of("/home/user/awkward/src/awkward/highlevel.py") == Category::awkward);
  CHECK(category_of("/home/user/src/selection/cuts.py") == Category::analysis);
}

TEST_CASE("paths that py-spy has cut to what Python imports by") {
  CHECK(category_of("awkward/highlevel.py") == Category::awkward);
  CHECK(category_of("numpy/_core/fromnumeric.py") == Category::numeric);
  CHECK(category_of("threading.py") == Category::stdlib);
  CHECK(category_of("concurrent/futures/thread.py") == Category::stdlib);
  CHECK(category_of("socket.py") == Category::io);
  CHECK(category_of("zprime.py") == Category::analysis);
  CHECK(category_of("selection/cuts.py") == Category::analysis);
  // a module of the user's own, not the package
  CHECK(category_of("hist.py") == Category::analysis);
}

TEST_CASE("libraries of the machine, as perf names them") {
  CHECK(category_of("/usr/lib/x86_64-linux-gnu/libm.so.6") == Category::native);
  CHECK(category_of("/usr/bin/python3.11") == Category::native);
  CHECK(category_of("[kernel.kallsyms]") == Category::native);
  CHECK(category_of("/tmp/perf-16319.map") == Category::native);
  CHECK(category_of("/home/user/.pyenv/versions/3.12.1/lib/libpython3.12.so.1.0") ==
        Category::native);
  CHECK(category_of("/home/user/.pyenv/versions/3.12.1/bin/python3.12") == Category::native);
  CHECK(category_of("/home/user/bin/zprime.py") == Category::analysis);
}

TEST_CASE("a normalised path is the same on every host") {
  CHECK(normalised_path("/home/a/env/lib/python3.11/site-packages/uproot/reading.py") ==
        "uproot/reading.py");
  CHECK(normalised_path("/cvmfs/x/lib/python3.9/site-packages/uproot/reading.py") ==
        "uproot/reading.py");
  CHECK(normalised_path("/opt/python/lib/python3.11/json/decoder.py") ==
        "lib/python3.11/json/decoder.py");
  CHECK(normalised_path("/scratch/dask-scratch-space/worker-7f_x/ana/cuts.py") == "ana/cuts.py");
  CHECK(normalised_path("D:\\env\\Lib\\site-packages\\numpy\\core.py") == "numpy/core.py");
  CHECK(normalised_path("/home/user/analysis/zprime_analysis.py") ==
        "/home/user/analysis/zprime_analysis.py");
  CHECK(normalised_path("<frozen abc>") == "<frozen abc>");
  CHECK(normalised_path("") == "");
}

TEST_CASE("a private path names no user and no host") {
  CHECK(private_path("/home/user/analysis/zprime_analysis.py") == "zprime_analysis.py");
  CHECK(private_path("C:\\Users\\me\\ana.py") == "ana.py");
  CHECK(private_path("/home/a/env/lib/python3.11/site-packages/uproot/reading.py") ==
        "uproot/reading.py");
  CHECK(private_path("<frozen abc>") == "<frozen abc>");
}

TEST_CASE("every category has a name") {
  CHECK(name_of(Category::analysis) == "your analysis");
  CHECK(name_of(Category::io) == "I/O");
  CHECK(name_of(Category::other) == "other");
}
