package dev.doyen.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.springframework.util.FileSystemUtils;

/**
 * The application of docs/guide/spring.md, built with Maven from the files on the page.
 *
 * <p>The local repository of this Maven contains the classes and the flattened poms of this build as Doyen's artifacts.
 * Its other artifacts are those of the local repository of this build.
 */
final class GuidePage {

    private static final Path ROOT = Path.of("..", "..");

    /** A sentence that names a file, and the block with the content of the file. */
    private static final Pattern FILE =
            Pattern.compile("(?s)ave (?:this file|the \\w+)\\s+as `([^`]+)`[^`]*```\\w+\n(.*?)```\n");

    private static final Pattern SQL = Pattern.compile("(?s)```sql\n(.*?)```\n");
    private static final Pattern START = Pattern.compile("(?m)^java -jar (\\S+)$");
    private static final Pattern PARENT = Pattern.compile("(?s)(</artifactId>\\s+<version>)([^<]+)(?=.*</parent>)");

    /** The folders of the modules that the application needs, by artifact. */
    private static final Map<String, String> MODULES = Map.of(
            "doyen-core", "lease/core",
            "doyen-ring", "group/ring",
            "doyen-store-jdbc", "lease/stores/jdbc",
            "doyen-spring-boot-starter", "integrations/spring-boot-starter");

    private static final String VERSION = "0.1.0-SNAPSHOT";
    private static final long BUILD_MINUTES = 10;

    private final String page;

    GuidePage() throws IOException {
        page = Files.readString(ROOT.resolve("docs/guide/spring.md"));
    }

    /** Returns the version of Spring Boot on the page. */
    String bootVersion() {
        var version = PARENT.matcher(page);
        assertThat(version.find()).isTrue();
        return version.group(2);
    }

    /** Returns the statements of the page that create the user and the database. */
    List<String> statements() {
        return Stream.of(only(SQL).group(1).split(";\n")).toList();
    }

    /**
     * Builds the application as the page describes, in a new directory.
     *
     * @param application an empty directory
     * @param boot the version of Spring Boot
     * @return the jar that the page starts
     */
    Path build(Path application, String boot) throws IOException, InterruptedException {
        for (MatchResult file : FILE.matcher(page).results().toList()) {
            Path target = application.resolve(file.group(1));
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.group(2));
        }
        Path pom = application.resolve("pom.xml");
        Files.writeString(pom, PARENT.matcher(Files.readString(pom)).replaceFirst("$1" + boot));
        assertThat(page).contains("\nmvn -q package\n");
        maven(application, repository(boot));
        return application.resolve(only(START).group(1));
    }

    private MatchResult only(Pattern pattern) {
        List<MatchResult> found = pattern.matcher(page).results().toList();
        assertThat(found).as("matches of %s", pattern).hasSize(1);
        return found.get(0);
    }

    private static void maven(Path application, Path repository) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("maven.program"), "-q", "-B", "package", "-Dmaven.repo.local=" + repository));
        if (System.getProperty("maven.network").equals("offline=true")) {
            command.add("-o");
        }
        Path log = application.resolve("maven.log");
        var builder = new ProcessBuilder(command)
                .directory(application.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // The variable can already contain a proxy.
        builder.environment()
                .merge("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1", (given, more) -> given + " " + more);
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(BUILD_MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
        } finally {
            maven.destroyForcibly();
        }
    }

    private static Path repository(String boot) throws IOException {
        Path repository = Path.of("target", "guide-repository-" + boot).toAbsolutePath();
        FileSystemUtils.deleteRecursively(repository);
        Files.createDirectories(repository);
        Path ofBuild = Path.of(System.getProperty("maven.repository"));
        linkAll(ofBuild, repository, "dev");
        Path dev = Files.createDirectory(repository.resolve("dev"));
        if (Files.isDirectory(ofBuild.resolve("dev"))) {
            linkAll(ofBuild.resolve("dev"), dev, "doyen");
        }
        for (Map.Entry<String, String> module : MODULES.entrySet()) {
            Path source = ROOT.resolve(module.getValue());
            Path target = install(source.resolve("target/.flattened-pom.xml"), dev, module.getKey());
            archive(source.resolve("target/classes"), target);
        }
        return repository;
    }

    private static void linkAll(Path from, Path to, String except) throws IOException {
        try (Stream<Path> children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child);
                }
            }
        }
    }

    /** Copies a pom into the repository, and returns the path of its jar. */
    private static Path install(Path pom, Path dev, String artifact) throws IOException {
        Path folder =
                Files.createDirectories(dev.resolve("doyen").resolve(artifact).resolve(VERSION));
        Files.copy(pom, folder.resolve(artifact + "-" + VERSION + ".pom"));
        return folder.resolve(artifact + "-" + VERSION + ".jar");
    }

    private static void archive(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                var zip = new ZipOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            all.filter(Files::isRegularFile).sorted().forEach(each -> {
                try {
                    zip.putNextEntry(new ZipEntry(classes.relativize(each).toString()));
                    Files.copy(each, zip);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
