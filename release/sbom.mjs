// Writes the software bills of materials of a release folder: node sbom.mjs MAVEN NPM DIR
//
// MAVEN and NPM are CycloneDX files of Maven and npm. The images in DIR/images list their jars and Debian packages. The
// program looks up each jar in MAVEN.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [maven, npm, folder] = process.argv.slice(2);
const timestamp = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString();

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Writes a document with the time of the release, and without a random number. */
function write(name, { serialNumber, ...document }) {
  document.metadata.timestamp = timestamp;
  writeFileSync(join(folder, "sbom", `${name}.cdx.json`), JSON.stringify(document, null, 2) + "\n");
}

/** Returns the files of an image whose paths match, as texts by path. */
function filesOf(layout, manifest, pattern) {
  const files = new Map();
  for (const { digest } of manifest.layers) {
    const blob = join(layout, "blobs", digest.replace(":", "/"));
    const names = execFileSync("tar", ["-tzf", blob], { encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
    for (const name of names.filter((each) => pattern.test(each))) {
      files.set(name, execFileSync("tar", ["-xOzf", blob, name], { encoding: "utf8" }));
    }
  }
  return files;
}

/** Returns the fields of a description in the format of dpkg or of the file `release` of a JDK. */
function fields(text) {
  return Object.fromEntries([...text.matchAll(/^(\w+)(?:: |=)"?(.*?)"?$/gm)].map(([, name, value]) => [name, value]));
}

/** Returns the component of a jar. */
function jar(line, components, image) {
  const [hash, name] = line.split(/ +/);
  const found =
    components.find((each) => each.hashes?.some(({ content }) => content === hash)) ??
    components.find((each) => `${each.name}-${each.version}.jar` === name);
  if (!found) {
    throw new Error(`${image} contains ${name}, which is not in the file of Maven; add its module to release/sbom.sh`);
  }
  return { ...found, hashes: [{ alg: "SHA-256", content: hash }] };
}

function debianPackage(text) {
  const { Package: name, Version: version, Architecture: architecture, Description: description } = fields(text);
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`;
  return { type: "library", "bom-ref": purl, name, version, description, purl };
}

function runtime(text) {
  const { JAVA_VERSION: version, MODULES: modules } = fields(text);
  const properties = [{ name: "doyen:modules", value: modules }];
  return { type: "platform", "bom-ref": `openjdk@${version}`, name: "OpenJDK", version, properties };
}

/** Returns the document of the image of one architecture. */
function image(name, version, { digest, platform }, layout, components) {
  const manifest = read(join(layout, "blobs", digest.replace(":", "/")));
  const files = filesOf(layout, manifest, /^doyen\/(jars\.sha256|runtime\/release)$|^var\/lib\/dpkg\/status\.d\/./);
  const contents = [runtime(files.get("doyen/runtime/release"))];
  for (const line of files.get("doyen/jars.sha256").trim().split("\n")) {
    contents.push(jar(line, components, name));
  }
  for (const [path, text] of files) {
    if (path.startsWith("var/")) contents.push(debianPackage(text));
  }
  const purl = `pkg:oci/${name}@${encodeURIComponent(digest)}?arch=${platform.architecture}&tag=${version}`;
  const described = {
    type: "container",
    "bom-ref": purl,
    name,
    version,
    description: manifest.annotations["org.opencontainers.image.description"],
    hashes: [{ alg: "SHA-256", content: digest.replace("sha256:", "") }],
    licenses: [{ license: { id: "Apache-2.0" } }],
    purl,
  };
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: described },
    components: contents,
    dependencies: [{ ref: purl, dependsOn: contents.map((each) => each["bom-ref"]) }],
  };
}

const jars = read(maven);
write("doyen-maven", jars);
write("doyen-npm", read(npm));
const images = join(folder, "images");
for (const name of existsSync(images) ? readdirSync(images).filter((each) => each !== "DIGESTS") : []) {
  const layout = join(images, name);
  const [{ digest, annotations }] = read(join(layout, "index.json")).manifests;
  for (const each of read(join(layout, "blobs", digest.replace(":", "/"))).manifests) {
    const version = annotations["org.opencontainers.image.ref.name"];
    write(`${name}-${each.platform.architecture}`, image(name, version, each, layout, jars.components));
  }
}
