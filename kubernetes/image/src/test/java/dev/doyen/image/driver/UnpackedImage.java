package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/**
 * An image that the {@code tar} program of the system has unpacked.
 *
 * <p>While it unpacks the image, the class checks every digest and size according to the OCI Image Format Specification
 * 1.1.
 *
 * @param config the configuration of the image
 * @param annotations the annotations of the manifest
 * @param layers the files of the layers, in order
 * @param root the folder with the unpacked layers
 */
record UnpackedImage(JsonNode config, JsonNode annotations, List<Path> layers, Path root) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Unpacks an image into an empty folder. Restores the owners of the files only if this process runs as root. */
    static UnpackedImage of(Path tar, Path folder) throws Exception {
        var layout = Files.createDirectories(folder.resolve("layout"));
        run(List.of("tar", "-xf", tar.toString(), "-C", layout.toString()));
        assertThat(read(layout.resolve("oci-layout")).path("imageLayoutVersion").asText())
                .isEqualTo("1.0.0");
        var index = read(layout.resolve("index.json"));
        assertThat(index.path("manifests")).hasSize(1);
        Set<String> named = new HashSet<>();
        var manifest = read(blob(layout, index.at("/manifests/0"), "manifest.v1+json", named));
        assertThat(manifest.path("schemaVersion").asInt()).isEqualTo(2);
        var config = read(blob(layout, manifest.path("config"), "config.v1+json", named));
        assertThat(config.path("architecture"))
                .isEqualTo(index.at("/manifests/0/platform").path("architecture"));
        List<Path> layers = new ArrayList<>();
        var diffIds = config.at("/rootfs/diff_ids");
        assertThat(diffIds).hasSameSizeAs(manifest.path("layers"));
        var root = Files.createDirectories(folder.resolve("root"));
        for (var descriptor : manifest.path("layers")) {
            var layer = blob(layout, descriptor, "layer.v1.tar+gzip", named);
            try (var in = new GZIPInputStream(Files.newInputStream(layer))) {
                assertThat(digest(in)).isEqualTo(diffIds.path(layers.size()).asText());
            }
            run(List.of("tar", "-xzpf", layer.toString(), "--numeric-owner", "-C", root.toString()));
            layers.add(layer);
        }
        try (var blobs = Files.list(layout.resolve("blobs/sha256"))) {
            assertThat(blobs.map(each -> each.getFileName().toString()))
                    .as("the image contains only referenced blobs")
                    .containsExactlyInAnyOrderElementsOf(named);
        }
        return new UnpackedImage(config, manifest.path("annotations"), layers, root);
    }

    /** Returns the entrypoint of the image. */
    List<String> entrypoint() {
        return StreamSupport.stream(config.at("/config/Entrypoint").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** Returns the lines of {@code tar -tv} for all layers. */
    List<String> listing() throws Exception {
        List<String> lines = new ArrayList<>();
        for (var layer : layers) {
            lines.addAll(run(List.of("tar", "-tvzf", layer.toString(), "--numeric-owner", "--full-time", "--utc")));
        }
        return lines;
    }

    private static Path blob(Path layout, JsonNode descriptor, String kind, Set<String> named) throws Exception {
        assertThat(descriptor.path("mediaType").asText()).isEqualTo("application/vnd.oci.image." + kind);
        var digest = descriptor.path("digest").asText();
        assertThat(digest).matches("sha256:[0-9a-f]{64}");
        named.add(digest.substring("sha256:".length()));
        var file = layout.resolve("blobs/sha256").resolve(digest.substring("sha256:".length()));
        assertThat(Files.size(file)).isEqualTo(descriptor.path("size").asLong());
        try (var in = Files.newInputStream(file)) {
            assertThat(digest(in)).isEqualTo(digest);
        }
        return file;
    }

    private static String digest(InputStream in) throws Exception {
        var sum = MessageDigest.getInstance("SHA-256");
        new DigestInputStream(in, sum).transferTo(OutputStream.nullOutputStream());
        return "sha256:" + HexFormat.of().formatHex(sum.digest());
    }

    private static JsonNode read(Path file) throws Exception {
        return JSON.readTree(file.toFile());
    }

    private static List<String> run(List<String> command) throws Exception {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}
