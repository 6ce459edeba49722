package dev.doyen.image;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/**
 * Builds the JSON documents of an image.
 *
 * <p>Source: OCI Image Format Specification 1.1 (config.md, manifest.md, image-index.md, image-layout.md).
 */
public final class OciDocuments {

    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String INDEX = "application/vnd.oci.image.index.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";
    private static final String USER = "1069:1069";
    private static final String SOURCE = "https://github.com/doyen-dev/doyen";

    /**
     * A file that is stored under the SHA-256 of its bytes.
     *
     * @param digest the digest of the file, such as {@code sha256:...}
     * @param bytes the size of the file in bytes
     */
    public record Blob(String digest, long bytes) {}

    /**
     * A compressed layer.
     *
     * @param diffId the digest of the layer's tar before compression
     */
    public record StoredLayer(Layer layer, String diffId, Blob blob) {}

    /**
     * The properties of an image that its documents contain.
     *
     * @param architecture the name of the architecture in Go: amd64 or arm64
     * @param revision the hash of the commit; empty if it is unknown
     */
    public record About(Recipe recipe, String version, String architecture, Instant created, String revision) {

        /** Returns the predefined annotations of the specification (annotations.md). */
        private ObjectNode annotations() {
            var annotations = object().put("org.opencontainers.image.created", created.toString())
                    .put("org.opencontainers.image.description", recipe.description())
                    .put("org.opencontainers.image.licenses", "Apache-2.0")
                    .put("org.opencontainers.image.source", SOURCE)
                    .put("org.opencontainers.image.title", recipe.imageName())
                    .put("org.opencontainers.image.version", version);
            if (!revision.isEmpty()) {
                annotations.put("org.opencontainers.image.revision", revision);
            }
            return annotations;
        }
    }

    private OciDocuments() {}

    /**
     * Returns the configuration of the image.
     *
     * <p>The configuration contains the command that starts the program, and the digests of the layers.
     */
    public static ObjectNode config(About about, List<StoredLayer> layers) {
        var recipe = about.recipe();
        var root = object().put("created", about.created().toString());
        root.put("architecture", about.architecture()).put("os", "linux");
        var config = root.putObject("config");
        config.put("User", USER);
        var ports = config.putObject("ExposedPorts");
        recipe.ports().forEach(port -> ports.putObject(port + "/tcp"));
        config.putArray("Env")
                .add("PATH=" + home(ImagePaths.RUNTIME) + "/bin")
                .add("LANG=C.UTF-8")
                // Without this variable, glibc would create a separate heap for each thread, and would not return freed
                // memory.
                .add("MALLOC_ARENA_MAX=1");
        var entrypoint = config.putArray("Entrypoint")
                .add(home(ImagePaths.RUNTIME) + "/bin/java")
                .add("@" + home(ImagePaths.ARGUMENTS))
                .add(recipe.mainClass());
        recipe.arguments().forEach(entrypoint::add);
        config.put("WorkingDir", "/" + ImagePaths.HOME);
        config.set("Labels", about.annotations());
        var rootfs = root.putObject("rootfs").put("type", "layers");
        var diffIds = rootfs.putArray("diff_ids");
        var history = root.putArray("history");
        for (var layer : layers) {
            diffIds.add(layer.diffId());
            history.addObject()
                    .put("created", about.created().toString())
                    .put("created_by", "./dev image: " + layer.layer().name().toLowerCase(java.util.Locale.ROOT));
        }
        return root;
    }

    /** Returns the manifest, which lists the configuration and the layers of the image. */
    public static ObjectNode manifest(About about, Blob config, List<StoredLayer> layers) {
        var root = object().put("schemaVersion", 2).put("mediaType", MANIFEST);
        root.set("config", descriptor(CONFIG, config));
        var list = root.putArray("layers");
        layers.forEach(layer -> list.add(descriptor(LAYER, layer.blob())));
        root.set("annotations", about.annotations());
        return root;
    }

    /** Returns the index of the tar, which lists one image. The image's version is its tag. */
    public static ObjectNode index(About about, Blob manifest) {
        var root = object().put("schemaVersion", 2).put("mediaType", INDEX);
        var entry = descriptor(MANIFEST, manifest);
        entry.putObject("platform").put("architecture", about.architecture()).put("os", "linux");
        entry.putObject("annotations").put("org.opencontainers.image.ref.name", about.version());
        root.putArray("manifests").add(entry);
        return root;
    }

    /** Returns the document that marks the tar as an OCI image layout. */
    public static ObjectNode layout() {
        return object().put("imageLayoutVersion", "1.0.0");
    }

    private static ObjectNode descriptor(String mediaType, Blob blob) {
        return object().put("mediaType", mediaType).put("digest", blob.digest()).put("size", blob.bytes());
    }

    private static String home(String path) {
        return "/" + ImagePaths.HOME + "/" + path;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
