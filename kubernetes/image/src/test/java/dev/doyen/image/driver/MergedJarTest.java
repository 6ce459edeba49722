package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergedJarTest {

    private static final String SERVICE = "META-INF/services/a.Service";
    private static final String MANIFEST = "META-INF/MANIFEST.MF";

    @TempDir
    private Path folder;

    @Test
    void the_merged_jar_contains_the_files_of_all_jars_once() throws Exception {
        var one = jar("one.jar", Map.of("a/A.class", "a", "same", "s", MANIFEST, "Manifest-Version: 1.0\n"));
        var two = jar("two.jar", Map.of("b/B.class", "b", "same", "s"));

        assertThat(merged(one, two))
                .containsEntry("a/A.class", "a")
                .containsEntry("b/B.class", "b")
                .containsEntry("same", "s")
                .containsEntry(MANIFEST, "Manifest-Version: 1.0\r\n\r\n")
                .hasSize(4);
    }

    @Test
    void a_service_has_the_providers_of_all_jars_and_each_licence_remains() throws Exception {
        var one = jar("one.jar", Map.of(SERVICE, "a.One", "META-INF/LICENSE", "one"));
        var two = jar("two.jar", Map.of(SERVICE, "a.Two", "META-INF/LICENSE", "two"));

        assertThat(merged(one, two))
                .containsEntry(SERVICE, "a.One\na.Two")
                .containsEntry("META-INF/LICENSE", "one")
                .containsEntry("META-INF/two/LICENSE", "two");
    }

    @Test
    void files_for_modules_bundles_and_builds_and_signatures_are_left_out() throws Exception {
        var one = jar(
                "one.jar",
                Map.of(
                        "module-info.class",
                        "m",
                        "META-INF/versions/9/module-info.class",
                        "m",
                        "META-INF/versions/9/OSGI-INF/MANIFEST.MF",
                        "o",
                        "META-INF/maven/one/pom.xml",
                        "p",
                        "META-INF/ONE.SF",
                        "s",
                        "META-INF/ONE.RSA",
                        "s"));

        assertThat(merged(one)).containsOnlyKeys(MANIFEST);
    }

    @Test
    void the_jvm_uses_classes_for_newer_versions_only_if_the_manifest_permits_it() throws Exception {
        var one = jar("one.jar", Map.of("META-INF/versions/11/a/A.class", "a"));

        assertThat(merged(one).get(MANIFEST)).contains("Multi-Release: true");
    }

    @Test
    void different_classes_of_one_name_are_rejected() throws Exception {
        var one = jar("one.jar", Map.of("a/A.class", "a"));
        var two = jar("two.jar", Map.of("a/A.class", "other"));

        assertThatThrownBy(() -> merged(one, two))
                .isInstanceOf(ImageRefusedException.class)
                .hasMessageContaining("a/A.class")
                .hasMessageContaining("two.jar");
    }

    @Test
    void the_same_jars_give_the_same_bytes() throws Exception {
        var one = jar("one.jar", Map.of("a/A.class", "a", "b", "b"));
        MergedJar.write(List.of(one), folder.resolve("first"));
        MergedJar.write(List.of(one), folder.resolve("second"));

        assertThat(folder.resolve("first")).hasSameBinaryContentAs(folder.resolve("second"));
        try (var file = new ZipFile(folder.resolve("first").toFile())) {
            assertThat(file.stream()).allSatisfy(entry -> {
                assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED);
                assertThat(entry.getTimeLocal().getYear()).isEqualTo(1980);
            });
        }
    }

    private Path jar(String name, Map<String, String> files) throws IOException {
        var jar = folder.resolve(name);
        try (var out = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (var file : new TreeMap<>(files).entrySet()) {
                out.putNextEntry(new ZipEntry(file.getKey()));
                out.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private Map<String, String> merged(Path... jars) throws IOException {
        var merged = folder.resolve("merged.jar");
        MergedJar.write(List.of(jars), merged);
        var files = new TreeMap<String, String>();
        try (var file = new ZipFile(merged.toFile())) {
            for (var entry : file.stream().toList()) {
                try (var in = file.getInputStream(entry)) {
                    files.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return files;
    }
}
