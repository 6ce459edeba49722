package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.image.Layer.Entry;
import dev.doyen.image.OciDocuments;
import dev.doyen.image.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageTarTest {

    private static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");

    @Test
    void modes_owners_and_times_are_those_of_the_image(@TempDir Path folder) throws Exception {
        var root = folder.resolve("built");
        var files = List.of(
                new Entry("etc/passwd", false, false),
                new Entry("doyen/lib/a.jar", false, false),
                new Entry("doyen/runtime/bin/java", false, true));
        for (var each : files) {
            var file = root.resolve(each.path());
            Files.createDirectories(file.getParent());
            Files.writeString(file, "12345");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        }
        var about = new OciDocuments.About(Program.ELECTOR.recipe(), "1", "amd64", TIME, "");
        var tar = folder.resolve("image.tar");
        new ImageTar(root, Files.createDirectory(folder.resolve("scratch")), TIME).write(about, files, tar);

        assertThat(UnpackedImage.of(tar, folder.resolve("read")).listing())
                .map(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 etc/",
                        "-rw-r--r-- 0/0 5 2026-11-21 00:00:00 etc/passwd",
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 doyen/",
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 doyen/runtime/",
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 doyen/runtime/bin/",
                        "-rwxr-xr-x 0/0 5 2026-11-21 00:00:00 doyen/runtime/bin/java",
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 doyen/",
                        "drwxr-xr-x 0/0 0 2026-11-21 00:00:00 doyen/lib/",
                        "-rw-r--r-- 0/0 5 2026-11-21 00:00:00 doyen/lib/a.jar");
    }
}
