package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.image.Program;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests what an image reports about itself: its labels, its jars and its Debian packages. */
class ImageContentTest {

    @EachTestedImage
    void the_labels_name_the_version_the_commit_and_the_source(Program program) throws Exception {
        var made = BuiltImages.of(program).made();
        var labels = BuiltImages.of(program).unpacked().config().at("/config/Labels");

        assertThat(labels).isEqualTo(BuiltImages.of(program).unpacked().annotations());
        assertThat(labels.properties())
                .extracting(each -> each.getKey().replace("org.opencontainers.image.", "") + "="
                        + each.getValue().asText())
                .containsExactlyInAnyOrder(
                        "created=2026-11-21T00:00:00Z",
                        "description=" + program.recipe().description(),
                        "licenses=Apache-2.0",
                        "revision=" + BuiltImages.REVISION,
                        "source=https://github.com/doyen-dev/doyen",
                        "title=" + program.recipe().imageName(),
                        "version=" + made.about().version());
    }

    @EachTestedImage
    void the_image_lists_its_jars_and_describes_its_debian_packages(Program program) throws Exception {
        var target = BuiltImages.CHECKOUT.resolve(program.recipe().module()).resolve("target");
        var root = BuiltImages.of(program).unpacked().root();
        var listed = Files.readAllLines(root.resolve("doyen/jars.sha256"));

        assertThat(listed.get(0)).contains("  " + program.recipe().artifact() + "-");
        for (var line : listed) {
            var name = line.substring(line.indexOf("  ") + 2);
            var jar = Files.exists(target.resolve(name)) ? target.resolve(name) : target.resolve("lib/" + name);
            assertThat(Checksums.of(List.of(jar))).isEqualTo(line + "\n");
        }
        var packages = root.resolve("var/lib/dpkg/status.d");
        assertThat(Files.readAllLines(packages.resolve("libc6")))
                .contains("Package: libc6")
                .anyMatch(line -> line.matches("Version: \\d.*"));
        assertThat(root.resolve("usr/share/doc/libc6/copyright")).isNotEmptyFile();
    }

    @Tag("long")
    @Test
    void the_image_doyen_contains_all_jars_of_the_program() throws Exception {
        var jars =
                Files.readAllLines(
                                BuiltImages.of(Program.DOYEN).unpacked().root().resolve("doyen/jars.sha256"))
                        .stream()
                        .map(line -> line.substring(line.indexOf("  ") + 2))
                        .toList();
        try (var lib = Files.list(BuiltImages.CHECKOUT.resolve("cli/program/target/lib"))) {
            assertThat(jars)
                    .containsAll(lib.map(each -> each.getFileName().toString()).toList());
        }
    }
}
