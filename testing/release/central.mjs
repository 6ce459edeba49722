// The rules of Maven Central for published components, and Doyen's own rules for its artifacts.
// https://central.sonatype.org/publish/requirements/
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { strFromU8, unzipSync } from "fflate";
import { filesIn } from "./folder.mjs";

const GROUP = "dev.doyen";
const lists = new Set(["dependency", "developer", "license", "exclusion"]);
const parser = new XMLParser({ parseTagValue: false, isArray: (name) => lists.has(name) });

/** The project element of a pom. */
export function readPom(file) {
  return parser.parse(readFileSync(file, "utf8")).project;
}

/** The entries of a jar whose names match, as texts by name. The other entries are not unpacked. */
function entries(jar, filter) {
  const found = unzipSync(readFileSync(jar), { filter: ({ name }) => filter(name) });
  return Object.fromEntries(Object.entries(found).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

/** All folders of a repository that contain a pom, as artifact, version and path. */
export function components(repository) {
  return filesIn(repository)
    .filter((file) => file.endsWith(".pom"))
    .map((file) => ({
      artifact: basename(dirname(dirname(file))),
      version: basename(dirname(file)),
      folder: dirname(file),
    }));
}

/** Each rule that the repository breaks, as a sentence. `signed`: each file must also have a signature. */
export function faults(repository, { version, signed = false }) {
  const found = [];
  const all = components(repository);
  const expected = new Set();
  for (const component of all) {
    const name = `${component.artifact}-${component.version}`;
    const pom = readPom(join(repository, component.folder, `${name}.pom`));
    for (const fault of pomFaults(pom, component, version, all)) found.push(`${component.artifact}: ${fault}`);
    const files = [`${name}.pom`];
    if (pom.packaging !== "pom") {
      files.push(...["", "-sources", "-javadoc"].map((kind) => `${name}${kind}.jar`));
      for (const fault of jarFaults(join(repository, component.folder, name)))
        found.push(`${component.artifact}: ${fault}`);
    }
    if (component.artifact === "doyen-ring") files.push(`${name}-tests.jar`);
    for (const file of files) {
      const path = join(component.folder, file);
      expected.add(path);
      for (const fault of fileFaults(join(repository, path), signed)) found.push(`${file}: ${fault}`);
      for (const ending of ["md5", "sha1", ...(signed ? ["asc"] : [])]) expected.add(`${path}.${ending}`);
    }
  }
  for (const file of filesIn(repository)) {
    if (!expected.has(file) && (signed || !file.endsWith(".asc"))) found.push(`${file}: no file of an artifact`);
  }
  found.push(...bomFaults(repository, all));
  return found;
}

function* pomFaults(pom, component, version, all) {
  if (component.folder !== join(...GROUP.split("."), component.artifact, component.version)) {
    yield `the folder ${component.folder} does not match the coordinates`;
  }
  if (pom.groupId !== GROUP || pom.artifactId !== component.artifact || pom.version !== component.version) {
    yield `the pom has the coordinates ${pom.groupId}:${pom.artifactId}:${pom.version}`;
  }
  if (pom.version !== version) yield `the version is ${pom.version}, not ${version}`;
  for (const element of ["name", "description", "url"]) if (!pom[element]) yield `the pom has no ${element}`;
  if (!pom.licenses?.license?.every(({ name, url }) => name && url))
    yield "the pom has no license with a name and a URL";
  if (!pom.developers?.developer?.every(({ name }) => name)) yield "the pom has no developer with a name";
  for (const element of ["connection", "developerConnection", "url"]) {
    if (!pom.scm?.[element]) yield `the pom has no scm.${element}`;
  }
  for (const element of [
    "parent",
    "repositories",
    "pluginRepositories",
    "distributionManagement",
    "modules",
    "profiles",
  ]) {
    if (pom[element] !== undefined) yield `the pom has the element ${element}`;
  }
  if (JSON.stringify(pom).includes("${")) yield "the pom contains a variable";
  const dependencies = [pom.dependencies, pom.dependencyManagement?.dependencies].flatMap(
    (each) => each?.dependency ?? [],
  );
  for (const { groupId, artifactId, version: needed, scope } of dependencies) {
    const name = `${groupId}:${artifactId}`;
    if (!needed || /SNAPSHOT|[[(,]|^LATEST$|^RELEASE$/.test(needed)) yield `${name} has the version ${needed}`;
    if (scope === "system" || scope === "test") yield `${name} has the scope ${scope}`;
    if (groupId === GROUP && !all.some(({ artifact, version: at }) => artifact === artifactId && at === needed)) {
      yield `the artifact ${name}:${needed} is not published`;
    }
  }
}

function* fileFaults(path, signed) {
  if (!existsSync(path)) {
    yield "the file is missing";
    return;
  }
  const content = readFileSync(path);
  for (const [ending, algorithm] of [
    ["md5", "md5"],
    ["sha1", "sha1"],
  ]) {
    const sum = existsSync(`${path}.${ending}`) ? readFileSync(`${path}.${ending}`, "utf8").trim() : "missing";
    if (sum !== createHash(algorithm).update(content).digest("hex")) yield `the ${ending} checksum is ${sum}`;
  }
  if (signed && !existsSync(`${path}.asc`)) yield "the signature is missing";
}

/** `path`: the path of the jar without its ending. */
function* jarFaults(path) {
  const contents = [
    [".jar", /\.class$/],
    ["-sources.jar", /\.(java|kt)$/],
    ["-javadoc.jar", /^index\.html$/],
  ];
  for (const [kind, wanted] of contents) {
    if (!existsSync(path + kind)) return;
    let has = false;
    entries(path + kind, (name) => {
      has ||= wanted.test(name);
      return false;
    });
    if (!has) yield `the jar ${kind} contains no entry ${wanted}`;
  }
  const main = entries(`${path}.jar`, (name) => name === "META-INF/MANIFEST.MF" || name === "module-info.class");
  if (!main["module-info.class"] && !/^Automatic-Module-Name: dev\.doyen\./m.test(main["META-INF/MANIFEST.MF"] ?? "")) {
    yield "the jar has neither a module-info nor an Automatic-Module-Name";
  }
}

/** The BOM contains all artifacts and no other artifact. */
function* bomFaults(repository, all) {
  const bom = all.find(({ artifact }) => artifact === "doyen-bom");
  if (!bom) {
    yield "the artifact doyen-bom is missing";
    return;
  }
  const pom = readPom(join(repository, bom.folder, `doyen-bom-${bom.version}.pom`));
  const managed = new Set(pom.dependencyManagement?.dependencies?.dependency?.map(({ artifactId }) => artifactId));
  for (const { artifact } of all) {
    if (artifact !== "doyen-bom" && !managed.has(artifact)) yield `doyen-bom does not contain ${artifact}`;
  }
}
