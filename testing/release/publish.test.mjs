// release/publish.sh with a small release folder, and with servers and programs of the test as the targets.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { unzipSync } from "fflate";
import { filesIn, keyring, ROOT, run, temporaryFolder } from "./folder.mjs";

const commit = run("git", ["rev-parse", "HEAD"], { cwd: ROOT }).trim();
const files = {
  "RELEASE-NOTES.md": `# Doyen 1.2.3\n\nBuilt from commit ${commit} of 2026-01-01.\n\nNews.\n`,
  "maven/dev/doyen/doyen-core/1.2.3/doyen-core-1.2.3.pom": "<project/>",
  "npm/package.json": '{"name": "@doyen/tabs", "version": "1.2.3"}',
  "python/doyen-1.2.3/PKG-INFO": "Metadata-Version: 2.4\nName: doyen\nVersion: 1.2.3\n",
  "go/github.com/doyen-dev/doyen/clients/go/@v/v1.2.3.zip": "",
  "images/doyen-elector/oci-layout": "{}",
  "charts/doyen-hub-1.2.3.tgz": "",
  "doyen-1.2.3.tar.gz": "",
  "packages/doyen.deb": "",
  "sbom/doyen.cdx.json": "{}",
};

/** A release folder with the files above. */
function releaseOf(test) {
  const folder = temporaryFolder(test);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  run("npm", ["pack", "--silent"], { cwd: join(folder, "npm") });
  run("tar", ["czf", "doyen-1.2.3.tar.gz", "--remove-files", "doyen-1.2.3"], { cwd: join(folder, "python") });
  sum(folder);
  return folder;
}

/** Writes the checksums of a folder. */
function sum(folder) {
  const sums = filesIn(folder).filter((file) => file !== "SHA256SUMS");
  writeFileSync(join(folder, "SHA256SUMS"), run("sha256sum", sums, { cwd: folder }));
}

/** Runs publish.sh without any setting of the environment, except the given settings. */
function publish(args, settings = {}) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(DOYEN_|GH_TOKEN|TWINE_)/.test(name)),
  );
  return new Promise((resolve) => {
    execFile(join(ROOT, "release/publish.sh"), args, { env: { ...env, ...settings } }, (error, stdout, stderr) =>
      resolve({ status: error?.code ?? 0, stdout, output: stdout + stderr }),
    );
  });
}

/** A server that accepts each request, and its requests. */
async function server(test) {
  const requests = [];
  const listening = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      requests.push({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      response.end("{}");
    });
  });
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", resolve));
  test.after(() => listening.close());
  return { requests, url: `http://127.0.0.1:${listening.address().port}/` };
}

/** A folder of programs that write their arguments into the file `calls`, and the environment that finds them. */
function programs(test, ...names) {
  const folder = temporaryFolder(test);
  const calls = join(folder, "calls");
  writeFileSync(calls, "");
  for (const name of names) {
    const keep = `for each; do case "$each" in */oci.json) cp "$each" "${folder}/oci.json" ;; esac; done`;
    writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >>"${calls}"\n${keep}\n`, {
      mode: 0o755,
    });
  }
  return {
    PATH: `${folder}:${process.env.PATH}`,
    calls: () => readFileSync(calls, "utf8").trim().split("\n"),
    credentials: () => JSON.parse(readFileSync(join(folder, "oci.json"), "utf8")),
  };
}

describe("publish.sh", () => {
  it("prints the commands of all targets, and runs none, without settings", async (test) => {
    const folder = releaseOf(test);
    const { PATH, calls } = programs(test, "curl", "gh", "skopeo", "helm", "python3");
    const { status, stdout, output } = await publish(["1.2.3", folder], { PATH });
    assert.equal(status, 0, output);
    assert.deepEqual(calls(), [""]);
    for (const expected of [
      /Git tags: not uploaded, because these settings are missing: DOYEN_GIT_URL\. The command would run:\n.*'push' 'URL' '[0-9a-f]{40}:refs\/tags\/v1.2.3' '[0-9a-f]{40}:refs\/tags\/clients\/go\/v1.2.3'/,
      /Maven Central: not uploaded, because these settings are missing: DOYEN_MAVEN_URL DOYEN_MAVEN_USER DOYEN_MAVEN_PASSWORD/,
      /'curl' .*'URL\?name=doyen-1.2.3&publishingType=USER_MANAGED'/,
      /npm: not uploaded, because these settings are missing: DOYEN_NPM_TOKEN.*\n.*'publish' '.*doyen-tabs-1.2.3.tgz'/,
      /PyPI: not uploaded, because these settings are missing: DOYEN_PYPI_TOKEN/,
      /'upload' '--non-interactive' '.*doyen-1.2.3.tar.gz'/,
      /images in an OCI registry: not uploaded, because these settings are missing: DOYEN_OCI_REPOSITORY DOYEN_OCI_USER DOYEN_OCI_PASSWORD/,
      /'skopeo' 'copy' .*'oci:.*images\/doyen-elector' 'docker:\/\/REPOSITORY\/doyen-elector:1.2.3'/,
      /'helm' 'push' '.*doyen-hub-1.2.3.tgz' 'oci:\/\/REPOSITORY\/charts'/,
      /a release on GitHub: not uploaded, because these settings are missing: GH_TOKEN/,
      /'gh' 'release' 'create' 'v1.2.3' .*SHA256SUMS' .*doyen-1.2.3.tar.gz' .*doyen.deb' .*doyen.cdx.json'/,
    ]) {
      assert.match(stdout, expected);
    }
  });

  it("uploads one signed bundle to Maven Central", async (test) => {
    const folder = releaseOf(test);
    const { requests, url } = await server(test);
    const settings = { DOYEN_MAVEN_URL: `${url}upload`, DOYEN_MAVEN_USER: "user", DOYEN_MAVEN_PASSWORD: "secret" };
    const refused = await publish(["1.2.3", folder, "maven"], settings);
    assert.equal(refused.status, 1);
    assert.match(refused.output, /doyen-core-1.2.3.pom has no signature, but Maven Central requires one/);
    assert.equal(requests.length, 0);

    run(join(ROOT, "release/sign.sh"), [folder, "release@example.org"], { env: keyring(test) });
    const { status, output } = await publish(["1.2.3", folder, "maven"], settings);
    assert.equal(status, 0, output);
    assert.equal(requests.length, 1);
    const [{ method, url: path, headers, body }] = requests;
    assert.equal(`${method} ${path}`, "POST /upload?name=doyen-1.2.3&publishingType=USER_MANAGED");
    assert.equal(headers.authorization, `Bearer ${Buffer.from("user:secret").toString("base64")}`);
    const start = body.indexOf("\r\n\r\n") + 4;
    assert.match(body.subarray(0, start).toString(), /name="bundle"; filename="bundle.zip"/);
    const pom = "dev/doyen/doyen-core/1.2.3/doyen-core-1.2.3.pom";
    const names = Object.keys(unzipSync(body.subarray(start, body.lastIndexOf("\r\n--")))).filter(
      (name) => !name.endsWith("/"),
    );
    assert.deepEqual(names.sort(), [pom, `${pom}.asc`]);
  });

  it("publishes the packages to npm", async (test) => {
    const { requests, url } = await server(test);
    const { status, output } = await publish(["1.2.3", releaseOf(test), "npm"], {
      DOYEN_NPM_TOKEN: "npm-secret",
      npm_config_registry: url,
    });
    assert.equal(status, 0, output);
    const put = requests.find(({ method }) => method === "PUT");
    assert.equal(put.url, "/@doyen%2ftabs");
    assert.equal(put.headers.authorization, "Bearer npm-secret");
    assert.equal(JSON.parse(put.body).access, "public");
  });

  it("uploads the distributions to PyPI", async (test) => {
    const { requests, url } = await server(test);
    const { status, output } = await publish(["1.2.3", releaseOf(test), "python"], {
      DOYEN_PYPI_TOKEN: "pypi-secret",
      TWINE_REPOSITORY_URL: url,
    });
    assert.equal(status, 0, output);
    assert.equal(requests[0].headers.authorization, `Basic ${Buffer.from("__token__:pypi-secret").toString("base64")}`);
    assert.match(requests[0].body.toString("latin1"), /filename="doyen-1.2.3.tar.gz"/);
  });

  it("pushes the tags of the release and of the Go module", async (test) => {
    const bare = temporaryFolder(test);
    run("git", ["init", "--quiet", "--bare", bare]);
    const { status, output } = await publish(["1.2.3", releaseOf(test), "go"], { DOYEN_GIT_URL: bare });
    assert.equal(status, 0, output);
    assert.equal(
      run("git", ["for-each-ref", "--format=%(objectname) %(refname)"], { cwd: bare }),
      `${commit} refs/tags/clients/go/v1.2.3\n${commit} refs/tags/v1.2.3\n`,
    );
  });

  it("copies the images and charts to a registry, and creates a release on GitHub", async (test) => {
    const folder = releaseOf(test);
    const { PATH, calls, credentials } = programs(test, "gh", "skopeo", "helm");
    const settings = {
      DOYEN_OCI_REPOSITORY: "registry.example/doyen",
      DOYEN_OCI_USER: "user",
      DOYEN_OCI_PASSWORD: "secret",
      GH_TOKEN: "token",
    };
    const { status, output } = await publish(["1.2.3", folder, "images", "charts", "program", "sbom"], {
      PATH,
      ...settings,
    });
    assert.equal(status, 0, output);
    const all = calls().join("\n");
    const auth = Buffer.from("user:secret").toString("base64");
    assert.deepEqual(credentials(), { auths: { "registry.example": { auth } } });
    assert.match(
      all,
      /skopeo copy .*--all oci:.*\/doyen-elector docker:\/\/registry.example\/doyen\/doyen-elector:1.2.3\n/,
    );
    assert.match(all, /helm push .*doyen-hub-1.2.3.tgz oci:\/\/registry.example\/doyen\/charts /);
    assert.match(
      all,
      /gh release create v1.2.3 --repo doyen-dev\/doyen --verify-tag .*--notes-file .*RELEASE-NOTES.md/,
    );
    assert.doesNotMatch(all, /secret|token/, "no argument contains a secret");
  });
});

it("release/README.md contains the help of publish.sh", () => {
  const help = run(join(ROOT, "release/publish.sh"), ["--help"]);
  assert.ok(readFileSync(join(ROOT, "release/README.md"), "utf8").includes(`\`\`\`\n${help}\`\`\``));
  assert.ok(run(join(ROOT, "dev"), ["release", "--help"]).endsWith(help));
});

describe("publish.sh refuses", () => {
  it("a folder with another version", async (test) => {
    const { status, output } = await publish(["1.2.4", releaseOf(test)]);
    assert.equal(status, 1);
    assert.match(output, /contains Doyen 1.2.3, not 1.2.4/);
  });

  it("a folder with a changed file", async (test) => {
    const folder = releaseOf(test);
    writeFileSync(join(folder, "packages/doyen.deb"), "changed");
    const { status, output } = await publish(["1.2.3", folder]);
    assert.equal(status, 1);
    assert.match(output, /do not match SHA256SUMS[^]*packages\/doyen.deb: FAILED/);
  });

  it("a folder whose build has not ended", async (test) => {
    const { status, output } = await publish(["1.2.3", temporaryFolder(test)]);
    assert.equal(status, 1);
    assert.match(output, /has no file SHA256SUMS, so its build has not ended/);
  });
});
