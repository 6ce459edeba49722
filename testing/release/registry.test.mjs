// Publishes the images and charts of the release folder to a registry on this machine. Runs the sections "Docker" and
// "Helm" of the page docs/guide/install.md with this registry, and with a real Kubernetes API server.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { attempt, has, releaseFolder, releaseNote, ROOT, run, start, temporaryFolder } from "./folder.mjs";
import { blocks, type } from "./guide.mjs";

const folder = releaseFolder();
const { version } = releaseNote(folder);
/** Ends a test that hangs. */
const HANG_MILLIS = 600_000;
const TOOLS = join(ROOT, "target/tools");
const PATH = [TOOLS, process.env.PATH, "/usr/sbin"].join(delimiter);

const missing = ["docker-registry", "skopeo", "helm"].find((program) => !has(program, { PATH }));

/** A port of this machine that no program uses at present. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Requests a JSON document from the API server. */
function get(cluster, path) {
  return new Promise((resolve, reject) => {
    const options = { ca: readFileSync(cluster.ca), headers: { authorization: `Bearer ${cluster.token}` } };
    request(cluster.url + path, options, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve(JSON.parse(text));
    })
      .on("error", reject)
      .end();
  });
}

describe("a registry with the images and charts", { skip: missing && `SKIPPED: ${missing} is not installed` }, () => {
  const ends = [];
  const whole = { after: (each) => ends.unshift(each) };
  let registry;
  let env;

  /** The blocks of a section, with the address of the registry. */
  const commands = (section) => blocks(section).map((block) => block.replaceAll("registry.example", registry));

  before(async () => {
    const home = temporaryFolder(whole);
    registry = `localhost:${await freePort()}`;
    const settings = join(home, "registry.yml");
    writeFileSync(
      settings,
      `version: 0.1\nstorage: {filesystem: {rootdirectory: ${home}/registry}}\nhttp: {addr: "${registry}"}\n`,
    );
    // The registry has no certificate. Helm needs no setting for a registry on localhost.
    mkdirSync(join(home, ".config/containers"), { recursive: true });
    writeFileSync(
      join(home, ".config/containers/registries.conf"),
      `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`,
    );
    env = {
      ...process.env,
      PATH,
      HOME: home,
    };
    await start(whole, "docker-registry", ["serve", settings], /listening on/, { env });
    // This process reads the output of the registry meanwhile.
    await promisify(execFile)("bash", [join(ROOT, "release/publish.sh"), version, folder, "images", "charts"], {
      env: { ...env, DOYEN_OCI_REPOSITORY: registry, DOYEN_OCI_USER: "user", DOYEN_OCI_PASSWORD: "secret" },
    });
  });
  after(async () => {
    for (const end of ends) await end();
  });

  it("has both architectures of each image with the digest in DIGESTS", { timeout: HANG_MILLIS }, () => {
    const lines = readFileSync(join(folder, "images/DIGESTS"), "utf8").trim().split("\n");
    for (const line of lines) {
      const [name, digest] = line.split("@");
      const printed = run("skopeo", ["inspect", "--raw", `docker://${registry}/${name}@${digest}`], { env });
      assert.deepEqual(
        JSON.parse(printed).manifests.map(({ platform }) => platform.architecture),
        ["amd64", "arm64"],
      );
      const tagged = run("skopeo", ["inspect", "--format", "{{.Digest}}", `docker://${registry}/${name}:${version}`], {
        env,
      });
      assert.match(digest, /^sha256:/);
      assert.equal(tagged.trim(), digest);
    }
    assert.equal(lines.length, 5);
  });

  it("installs with Helm on a real API server", { timeout: HANG_MILLIS }, async (test) => {
    const home = temporaryFolder(test);
    run(
      "mvn",
      [
        "-q",
        "-B",
        "-ntp",
        "-Dmaven.test.skip=true",
        "-Dspotless.check.skip=true",
        "-pl",
        "testing/support/kubernetes-server",
      ]
        .concat(["-am", "package", "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath"])
        .concat([`-Dmdep.outputFile=${home}/classpath`]),
      { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
    );
    const classpath = `testing/support/kubernetes-server/target/classes:${readFileSync(join(home, "classpath"), "utf8")}`;
    const starter = ["-cp", classpath, "testing/release/Cluster.java", home];
    const [line] = await start(test, "java", starter, /^\{.*\}$/m, { cwd: ROOT, env });
    const cluster = JSON.parse(line);
    if (cluster.skipped) return test.skip(`SKIPPED: ${cluster.skipped}`);
    let [install] = commands("Helm");
    const { major, minor } = await get(cluster, "/version");
    if (major === "1" && parseInt(minor) < 25) {
      // The chart rejects this API server, because the server is too old. So the test installs a copy of the chart
      // without this check, and without the object that the server does not know.
      test.diagnostic(`the API server has version ${major}.${minor}, so a copy of the chart is installed`);
      const [, chart] = install.match(/ (oci:\S+ --version \S+) /);
      const copy = `helm pull ${chart} --untar && sed -i /^kubeVersion/d doyen-elector/Chart.yaml\n`;
      install = copy + install.replace(chart, "./doyen-elector --set injector.pdb.enabled=false");
    }
    const from = performance.now();
    await type(test, install, home, /^STATUS: deployed$/m, { ...env, KUBECONFIG: cluster.kubeconfig });
    test.diagnostic(`${((performance.now() - from) / 1000).toFixed(1)} s until the chart was installed`);
    const { items } = await get(cluster, "/apis/apps/v1/namespaces/doyen-system/deployments");
    assert.deepEqual(
      items.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)),
      [`${registry}/doyen-injector:${version}`],
    );
    assert.match(JSON.stringify(items), new RegExp(`${registry}/doyen-elector:${version}`));
  });

  it("installs with Docker", { timeout: HANG_MILLIS }, async (test) => {
    const engine = ["docker", "podman"].find((each) => has(each, env) && attempt(each, ["info"], { env }).status === 0);
    if (!engine) return test.skip("SKIPPED: no container engine runs here; install podman and runc");
    const home = temporaryFolder(test);
    const bin = temporaryFolder(test);
    symlinkSync(run("sh", ["-c", `command -v ${engine}`], { env }).trim(), join(bin, "docker"));
    // Podman's own limits are higher than those of some machines, and its default runtime needs another cgroup version.
    const files = run("bash", ["-c", "ulimit -Hn"]).trim();
    writeFileSync(
      join(bin, "containers.conf"),
      `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=4096:4096"]
[engine]
runtime = "runc"
`,
    );
    const docker = { ...env, PATH: `${bin}:${PATH}`, CONTAINERS_CONF: join(bin, "containers.conf") };
    const [elector, hub] = commands("Docker");
    try {
      const from = performance.now();
      await type(test, elector, home, /"name":"node-1"/, docker);
      test.diagnostic(`${((performance.now() - from) / 1000).toFixed(1)} s until the first leader`);
      await type(test, hub, home, /^\[\d+\]$/m, docker);
    } finally {
      // The hooks at the end of the test run later, and delete the folders that this command needs.
      run("docker", ["rm", "--force", "node-1", "hub"], { env: docker });
    }
  });
});
