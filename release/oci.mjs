// Writes OCI image layouts, and prints their digests (OCI Image Format Specification 1.1):
//   node oci.mjs index LAYOUT VERSION TAR..   an index of images, which ./dev image built for different architectures
//   node oci.mjs chart LAYOUT VERSION TGZ     a Helm chart, in the format of `helm push`
// LAYOUT is an empty folder. VERSION is the tag.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";

const INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CHART_CONFIG = "application/vnd.cncf.helm.config.v1+json";
const CHART_CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
const TAG = "org.opencontainers.image.ref.name";

/** Stores a document or a file under its digest, and returns its descriptor. */
function store(layout, mediaType, content) {
  const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
  const hash = createHash("sha256").update(bytes).digest("hex");
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true });
  writeFileSync(join(layout, "blobs/sha256", hash), bytes);
  return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
}

/** Returns a stored document. */
function load(layout, { digest }) {
  return JSON.parse(readFileSync(join(layout, "blobs", digest.replace(":", "/")), "utf8"));
}

/** Writes the files that make a folder a layout with one entry. */
function finish(layout, version, entry) {
  const manifests = [{ ...entry, annotations: { [TAG]: version } }];
  writeFileSync(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests }));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  return entry.digest;
}

function index(layout, version, tars) {
  const manifests = [];
  for (const tar of tars) {
    execFileSync("tar", ["-xf", tar, "-C", layout]);
    const [{ annotations, ...image }] = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")).manifests;
    if (annotations[TAG] !== version) {
      throw new Error(`${tar} has the version ${annotations[TAG]} instead of ${version}; build it again`);
    }
    manifests.push(image);
  }
  const { annotations } = load(layout, manifests[0]);
  return finish(layout, version, store(layout, INDEX, { schemaVersion: 2, mediaType: INDEX, manifests, annotations }));
}

function chart(layout, version, [tgz]) {
  const name = basename(tgz, `-${version}.tgz`);
  const config = parse(execFileSync("tar", ["-xOzf", tgz, `${name}/Chart.yaml`], { encoding: "utf8" }));
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: store(layout, CHART_CONFIG, config),
    layers: [store(layout, CHART_CONTENT, readFileSync(tgz))],
    annotations: {
      "org.opencontainers.image.description": config.description,
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.source": "https://github.com/doyen-dev/doyen",
      "org.opencontainers.image.title": config.name,
      "org.opencontainers.image.version": config.version,
    },
  };
  return finish(layout, version, store(layout, MANIFEST, manifest));
}

const [kind, layout, version, ...files] = process.argv.slice(2);
const writers = { index, chart };
if (!(kind in writers) || files.length === 0) {
  console.error("usage: node oci.mjs index LAYOUT VERSION TAR.. | chart LAYOUT VERSION TGZ");
  process.exit(2);
}
console.log(writers[kind](layout, version, files));
