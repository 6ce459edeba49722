package dev.doyen.image.driver;

import dev.doyen.image.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Builds each image at most once for all tests of this module, because a build takes half a minute.
 *
 * <p>Threads: any. The folder of the images stays after the tests.
 */
final class BuiltImages {

    static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");
    static final String REVISION = "0123456789abcdef0123456789abcdef01234567";
    static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();

    private static final Path FOLDER = Path.of("target/test-images").toAbsolutePath();
    private static final Map<Program, Built> BUILT = new EnumMap<>(Program.class);

    /** An image as it was made, and as the {@code tar} program has unpacked it. */
    record Built(ImageBuild.Made made, UnpackedImage unpacked) {}

    private BuiltImages() {}

    /** Returns the image. Skips the test and prints the reason if the jar of the program is not built. */
    static synchronized Built of(Program program) throws Exception {
        var known = BUILT.get(program);
        if (known != null) {
            return known;
        }
        assumeJarExists(program);
        var name = program.recipe().imageName();
        var made = new ImageBuild(CHECKOUT, FOLDER.resolve("out"), TIME, REVISION, TargetSystem.here()).make(program);
        var built = new Built(made, UnpackedImage.of(made.tar(), emptied(FOLDER.resolve(name))));
        BUILT.put(program, built);
        System.out.printf(
                "%s: %.1f MB, unpacked %.1f MB%n",
                name, made.size().compressed() / 1e6, made.size().uncompressed() / 1e6);
        return built;
    }

    private static Path emptied(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        return Files.createDirectories(folder);
    }

    private static void assumeJarExists(Program program) throws IOException {
        var target = CHECKOUT.resolve(program.recipe().module()).resolve("target");
        boolean built = false;
        if (Files.isDirectory(target.resolve("lib"))) {
            try (var jars = Files.newDirectoryStream(target, program.recipe().artifact() + "-[0-9]*.jar")) {
                built = jars.iterator().hasNext();
            }
        }
        if (!built) {
            var message = "the image of " + program.recipe().imageName()
                    + ": its jar is not built; run mvn verify, not mvn test";
            System.out.println("SKIPPED: " + message);
            Assumptions.abort(message);
        }
    }
}
