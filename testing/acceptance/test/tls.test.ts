import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Program, ROOT } from "../src/program.js";
import { SDKS } from "../src/sdk.js";
import { HANG_MILLIS } from "../src/until.js";

const CERTIFICATES = join(ROOT, "elector/http/src/test/resources/dev/doyen/elector/tls");
const PEERS = fileURLToPath(new URL("../src/securepeers.js", import.meta.url));

describe("unmodified official SDKs over TLS", () => {
  let program: Program;
  before(async () => {
    const [certificate, key] = [join(CERTIFICATES, "ec.pem"), join(CERTIFICATES, "ec-sec1.key")];
    program = await Program.start({ command: "hub", arguments: ["--tls-cert", certificate, "--tls-key", key] });
  });
  after(() => program[Symbol.asyncDispose]());

  for (const sdk of SDKS) {
    test(`${sdk.name} publishes and receives`, async () => {
      assert.equal(program.hub.protocol, "https:");
      const { stdout } = await promisify(execFile)(process.execPath, [PEERS, sdk.name, program.hub.href], {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: join(CERTIFICATES, "ca.pem") },
        timeout: HANG_MILLIS,
      });
      assert.equal(stdout, "hello\n");
    });
  }
});
