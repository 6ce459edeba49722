import assert from "node:assert/strict";
import { test } from "node:test";
import { keyFromAddress } from "../src/key.js";

/** A history whose state the page can replace. It records the new addresses. */
class FakeHistory {
  state: unknown = null;
  readonly addresses: string[] = [];

  replaceState(state: unknown, _unused: string, address?: string | URL | null): void {
    this.state = state;
    this.addresses.push(String(address));
  }
}

const at = (hash: string) => ({ hash, pathname: "/console/", search: "?a=1" });

test("the page takes the key from the fragment and removes the fragment from the address", () => {
  const history = new FakeHistory();
  assert.equal(keyFromAddress(at("#key=Fs3r-Yx_V.n~2"), history), "Fs3r-Yx_V.n~2");
  assert.deepEqual(history.addresses, ["/console/?a=1"]);
});

test("the page has the key again after a reload", () => {
  const history = new FakeHistory();
  keyFromAddress(at("#key=abc"), history);
  assert.equal(keyFromAddress(at(""), history), "abc");
  assert.equal(history.addresses.length, 1);
});

test("an address without a key, or with a malformed key, has no key", () => {
  for (const hash of ["", "#", "#key=", "#key=a b", "#other=abc"]) {
    const history = new FakeHistory();
    assert.equal(keyFromAddress(at(hash), history), null, hash);
    assert.deepEqual(history.addresses, []);
  }
});
