// What the files of the shim share: handles, results and the guard that every call into RDKit runs under.
#pragma once

#include "shim.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <vector>

#include <GraphMol/RWMol.h>
#if __has_include(<RDGeneral/ControlCHandler.h>) && !defined(_WIN32)
#include <csignal>
#define RDKIT_CATCHES_INTERRUPTS
#endif

namespace shim {

using RDKit::ROMol;
using RDKit::RWMol;

inline RWMol *rd(molecule *m) { return reinterpret_cast<RWMol *>(m); }
inline molecule *handle(RWMol *m) { return reinterpret_cast<molecule *>(m); }

inline char *copy(const std::string &s) {
  auto c = static_cast<char *>(std::malloc(s.size() + 1));
  if (!c) throw std::bad_alloc();
  std::memcpy(c, s.c_str(), s.size() + 1);
  return c;
}

inline int64_t *copy(const std::vector<int64_t> &v) {
  auto c = static_cast<int64_t *>(std::malloc((1 + v.size()) * sizeof(int64_t)));
  if (!c) throw std::bad_alloc();
  c[0] = v.size();
  std::memcpy(c + 1, v.data(), v.size() * sizeof(int64_t));
  return c;
}

// RDKit's parsers write what is wrong with the syntax to its error log, which is shared by all threads and
// closed as long as nobody opens it. Who opens it holds this alone; everybody else shares it.
inline std::shared_mutex log_mutex;

#ifdef RDKIT_CATCHES_INTERRUPTS
// From 2025.03 on RDKit sets a handler of SIGINT of its own in some calls, without the alternate stack that Go needs, and may leave
// it behind. The handler before the first call is put back after each.
inline void restore_interrupts() {
  static const struct sigaction before = [] {
    struct sigaction now;
    sigaction(SIGINT, nullptr, &now);
    return now;
  }();
  sigaction(SIGINT, &before, nullptr);
}
#else
inline void restore_interrupts() {}
#endif

struct Interrupts {
  Interrupts() { restore_interrupts(); }
  ~Interrupts() { restore_interrupts(); }
};

template <typename Lock, typename F>
auto guarded(char **error, F body) -> decltype(body()) {
  try {
    Interrupts interrupts;
    Lock lock(log_mutex);
    return body();
  } catch (const std::exception &e) {
    *error = strdup(e.what());
  } catch (...) {
    *error = strdup("unknown C++ exception");
  }
  return decltype(body())();
}

template <typename F>
auto guarded(char **error, F body) -> decltype(body()) {
  return guarded<std::shared_lock<std::shared_mutex>>(error, body);
}

}  // namespace shim
