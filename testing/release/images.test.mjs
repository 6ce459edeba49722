// Tests the images and the charts of a release folder. DOYEN_RELEASE is the folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const folder = process.env.DOYEN_RELEASE;
assert.ok(folder, "DOYEN_RELEASE is not set; set it to a folder that ./dev release has built");
const IMAGES = ["doyen", "doyen-elector", "doyen-hub", "doyen-injector", "doyen-ring"];
const CHARTS = ["doyen-elector", "doyen-hub"];

const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const blob = (layout, { digest }) => join(layout, "blobs", digest.replace(":", "/"));
const folders = (path) =>
  readdirSync(path, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);

/** Returns the single entry of a layout, after a check of all blobs. */
function entry(layout) {
  assert.deepEqual(json(join(layout, "oci-layout")), { imageLayoutVersion: "1.0.0" });
  const { manifests } = json(join(layout, "index.json"));
  assert.equal(manifests.length, 1);
  for (const name of readdirSync(join(layout, "blobs/sha256"))) {
    const bytes = readFileSync(join(layout, "blobs/sha256", name));
    assert.equal(createHash("sha256").update(bytes).digest("hex"), name, "the name of a blob is its SHA-256");
  }
  return manifests[0];
}

/** Returns the digests to which the documents of a layout refer. */
function referenced(layout, descriptor) {
  if (!descriptor.mediaType.startsWith("application/vnd.oci.image.")) return [descriptor.digest];
  if (!/\.(index|manifest)\./.test(descriptor.mediaType)) return [descriptor.digest];
  const { config, layers = [], manifests = [] } = json(blob(layout, descriptor));
  const next = [...(config ? [config] : []), ...layers, ...manifests];
  return [descriptor.digest, ...next.flatMap((each) => referenced(layout, each))];
}

function assertNoOtherBlobs(layout, descriptor) {
  assert.deepEqual(
    [...new Set(referenced(layout, descriptor))].sort(),
    readdirSync(join(layout, "blobs/sha256"))
      .map((name) => `sha256:${name}`)
      .sort(),
  );
}

describe("the images", () => {
  const images = join(folder, "images");

  test("the folder contains an image of each program", () => {
    assert.deepEqual(folders(images).sort(), IMAGES);
  });

  test("DIGESTS lists the digest of each image, for a signature", () => {
    const digests = IMAGES.map((name) => `${name}@${entry(join(images, name)).digest}\n`).join("");
    assert.equal(readFileSync(join(images, "DIGESTS"), "utf8"), digests);
  });

  for (const name of IMAGES) {
    const layout = join(images, name);

    test(`${name} has one tag, and manifests for amd64 and arm64`, () => {
      const tagged = entry(layout);
      assert.equal(tagged.mediaType, "application/vnd.oci.image.index.v1+json");
      const index = json(blob(layout, tagged));
      assert.deepEqual(
        index.manifests.map(({ platform }) => platform),
        [
          { architecture: "amd64", os: "linux" },
          { architecture: "arm64", os: "linux" },
        ],
      );
      assertNoOtherBlobs(layout, tagged);
      for (const each of index.manifests) {
        const manifest = json(blob(layout, each));
        const config = json(blob(layout, manifest.config));
        assert.equal(config.architecture, each.platform.architecture);
        assert.equal(config.rootfs.diff_ids.length, manifest.layers.length);
        assert.deepEqual(config.config.Labels, manifest.annotations);
        assert.deepEqual(index.annotations, manifest.annotations);
        assert.equal(
          manifest.annotations["org.opencontainers.image.version"],
          tagged.annotations["org.opencontainers.image.ref.name"],
        );
        assert.match(manifest.annotations["org.opencontainers.image.revision"], /^[0-9a-f]{40}$/);
      }
    });

    test(`the files of ${name} for arm64 are for arm64, and both images have a class-data archive`, () => {
      const { manifests } = json(blob(layout, entry(layout)));
      for (const each of manifests) {
        const files = json(blob(layout, each)).layers.flatMap((layer) =>
          execFileSync("tar", ["-tzf", blob(layout, layer)], { encoding: "utf8" })
            .trim()
            .split("\n")
            .map((path) => ({ path, layer })),
        );
        const find = (path) => files.find((file) => file.path === path);
        assert.ok(find("doyen/classes.jsa"));
        const loader = { amd64: "lib64/ld-linux-x86-64.so.2", arm64: "lib/ld-linux-aarch64.so.1" };
        for (const path of [loader[each.platform.architecture], "doyen/runtime/bin/java"]) {
          assert.ok(find(path), `${path} of ${each.platform.architecture}`);
          const bytes = execFileSync("tar", ["-xOzf", blob(layout, find(path).layer), path], { maxBuffer: 1 << 26 });
          // The field e_machine of ELF: 62 is x86-64, 183 is AArch64.
          assert.equal(bytes.readUInt16LE(18), { amd64: 62, arm64: 183 }[each.platform.architecture], path);
        }
      }
    });
  }
});

describe("the charts", () => {
  const charts = join(folder, "charts");

  test("the folder contains a package and a layout of each chart", () => {
    assert.deepEqual(folders(charts).sort(), CHARTS);
  });

  for (const name of CHARTS) {
    const layout = join(charts, name);

    test(`the layout of ${name} contains the package and its description`, () => {
      const tagged = entry(layout);
      assertNoOtherBlobs(layout, tagged);
      const manifest = json(blob(layout, tagged));
      const config = json(blob(layout, manifest.config));
      assert.equal(manifest.config.mediaType, "application/vnd.cncf.helm.config.v1+json");
      assert.equal(manifest.layers[0].mediaType, "application/vnd.cncf.helm.chart.content.v1.tar+gzip");
      assert.equal(config.name, name);
      assert.equal(config.version, tagged.annotations["org.opencontainers.image.ref.name"]);
      assert.equal(config.appVersion, config.version);
      const tgz = join(charts, `${name}-${config.version}.tgz`);
      assert.deepEqual(readFileSync(tgz), readFileSync(blob(layout, manifest.layers[0])));
      const files = execFileSync("tar", ["-tzf", tgz], { encoding: "utf8" }).trim().split("\n");
      assert.ok(files.includes(`${name}/Chart.yaml`));
      assert.ok(files.every((file) => file.startsWith(`${name}/`)));
    });
  }
});
