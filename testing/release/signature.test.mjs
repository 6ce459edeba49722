// Signs a copy of the Maven repository with a throw-away key, and verifies the signatures.
import assert from "node:assert/strict";
import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { faults } from "./central.mjs";
import { attempt, filesIn, keyring, releaseFolder, releaseNote, ROOT, run, temporaryFolder } from "./folder.mjs";

it("--sign signs the checksums and each Maven artifact", (test) => {
  const folder = releaseFolder();
  const { version } = releaseNote(folder);
  const copy = temporaryFolder(test);
  cpSync(join(folder, "maven"), join(copy, "maven"), { recursive: true });
  cpSync(join(folder, "SHA256SUMS"), join(copy, "SHA256SUMS"));
  for (const file of filesIn(copy).filter((each) => each.endsWith(".asc"))) run("rm", [join(copy, file)]);
  const env = keyring(test);

  run(join(ROOT, "release/sign.sh"), [copy, "release@example.org"], { env });

  assert.deepEqual(faults(join(copy, "maven"), { version, signed: true }), []);
  const signatures = filesIn(copy).filter((file) => file.endsWith(".asc"));
  assert.ok(signatures.includes("SHA256SUMS.asc"));
  const verify = (signature) => {
    const files = [signature, signature.replace(/\.asc$/, "")].map((file) => join(copy, file));
    return attempt("gpg", ["--batch", "--verify", ...files], { env }).status;
  };
  for (const file of signatures) assert.equal(verify(file), 0, file);
  appendFileSync(join(copy, "SHA256SUMS"), "one more line\n");
  assert.notEqual(verify("SHA256SUMS.asc"), 0, "gpg detects a changed file");
});
