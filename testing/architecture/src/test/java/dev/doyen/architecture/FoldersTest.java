package dev.doyen.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the picture in ARCHITECTURE.md with the Maven modules, and checks the files at the root.
 *
 * <p>The picture does not show the modules of testing/, examples/ and release/.
 */
class FoldersTest {

    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern ARTIFACT =
            Pattern.compile("</parent>\\s*<artifactId>([^<]+)</artifactId>", Pattern.DOTALL);
    private static final Pattern DEPENDENCY = Pattern.compile(
            "<dependency>\\s*<groupId>dev\\.doyen</groupId>\\s*<artifactId>([^<]+)</artifactId>(.*?)</dependency>",
            Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->", Pattern.DOTALL);
    private static final Pattern PICTURE = Pattern.compile("```mermaid\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NODE = Pattern.compile("(\\w+)(?:\\[\"([^\"]+)\"])?");
    private static final String ALL_OTHER_STORES = "lease/stores/*";
    private static final Set<String> AT_THE_ROOT = Set.of(
            "README.md",
            "ARCHITECTURE.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "LICENSE",
            "dev",
            "doyen",
            "pom.xml",
            "package.json",
            "package-lock.json",
            "tsconfig.base.json",
            "build-page.js");

    @Test
    void the_picture_shows_the_dependencies_of_the_modules() throws IOException {
        Map<String, Set<String>> needs = needs();
        Map<String, Set<String>> arrows = arrows();
        Set<String> shown = new TreeSet<>(arrows.keySet());
        arrows.values().forEach(shown::addAll);

        Map<String, Set<String>> between = new TreeMap<>();
        needs.forEach((module, needed) -> {
            if (isShown(module)) {
                Set<String> ends = between.computeIfAbsent(place(module, shown), any -> new TreeSet<>());
                needed.forEach(each -> ends.add(place(each, shown)));
            }
        });
        between.forEach((module, needed) -> needed.remove(module));

        assertThat(shown).as("the picture shows all modules").isEqualTo(between.keySet());
        arrows.forEach((from, ends) -> assertThat(between.get(from))
                .as("the arrows from " + from + " are dependencies")
                .containsAll(ends));
        between.forEach((from, needed) -> assertThat(reachable(from, arrows))
                .as("the arrows lead to all that " + from + " needs")
                .containsAll(needed));
    }

    @Test
    void only_pages_scripts_and_build_files_are_at_the_root() throws IOException {
        try (Stream<Path> files = Files.list(ROOT)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> file.getFileName().toString())
                            .filter(name -> !name.startsWith(".")))
                    .isSubsetOf(AT_THE_ROOT);
        }
    }

    private static boolean isShown(String module) {
        return !module.startsWith("testing/") && !module.startsWith("examples/") && !module.startsWith("release/");
    }

    private static String place(String module, Set<String> shown) {
        return !shown.contains(module) && module.startsWith("lease/stores/") ? ALL_OTHER_STORES : module;
    }

    /** Returns the modules that each module needs to compile or to run. */
    private static Map<String, Set<String>> needs() throws IOException {
        Map<String, String> modules = new LinkedHashMap<>();
        Map<String, String> poms = new HashMap<>();
        Matcher module = MODULE.matcher(Files.readString(ROOT.resolve("pom.xml")));
        while (module.find()) {
            String pom = COMMENT.matcher(
                            Files.readString(ROOT.resolve(module.group(1)).resolve("pom.xml")))
                    .replaceAll("");
            Matcher artifact = ARTIFACT.matcher(pom);
            assertThat(artifact.find()).as(module.group(1)).isTrue();
            modules.put(artifact.group(1), module.group(1));
            poms.put(module.group(1), pom);
        }
        Map<String, Set<String>> needs = new TreeMap<>();
        poms.forEach((name, pom) -> {
            Set<String> needed = needs.computeIfAbsent(name, any -> new TreeSet<>());
            Matcher dependency = DEPENDENCY.matcher(pom);
            while (dependency.find()) {
                String other = modules.get(dependency.group(1));
                if (other != null && !dependency.group(2).contains("<scope>test</scope>")) {
                    needed.add(other);
                }
            }
        });
        return needs;
    }

    /** Returns the arrows of the picture: each folder, with the folders to which its arrows point. */
    private static Map<String, Set<String>> arrows() throws IOException {
        Matcher picture = PICTURE.matcher(Files.readString(ROOT.resolve("ARCHITECTURE.md")));
        assertThat(picture.find()).as("the page contains the picture").isTrue();
        List<String[]> lines = new ArrayList<>();
        Map<String, String> folders = new HashMap<>();
        picture.group(1).lines().filter(line -> line.contains("-->")).forEach(line -> {
            Matcher node = NODE.matcher(line);
            while (node.find()) {
                if (node.group(2) != null) {
                    folders.put(node.group(1), node.group(2));
                }
            }
            lines.add(line.replaceAll("\\[\"[^\"]+\"]", "").strip().split("-->", -1));
        });
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (String[] line : lines) {
            for (String from : line[0].split("&", -1)) {
                for (String to : line[1].split("&", -1)) {
                    arrows.computeIfAbsent(folders.get(from.strip()), any -> new TreeSet<>())
                            .add(folders.get(to.strip()));
                }
            }
        }
        return arrows;
    }

    private static Set<String> reachable(String from, Map<String, Set<String>> arrows) {
        Set<String> reached = new HashSet<>();
        var waiting = new ArrayDeque<>(List.of(from));
        while (!waiting.isEmpty()) {
            for (String next : arrows.getOrDefault(waiting.remove(), Set.of())) {
                if (reached.add(next)) {
                    waiting.add(next);
                }
            }
        }
        return reached;
    }
}
