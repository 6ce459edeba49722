package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads kubeconfig files as kubectl does.
 *
 * <p>The class merges several files. If two files set the same value, the value in the first file applies. A relative
 * path is resolved against the directory of the file that contains the path. The class rejects plugins, which run a
 * program, and unchecked certificates, which weaken security. It also rejects {@code proxy-url} and
 * {@code tls-server-name}, because it does not support them.
 */
public final class Kubeconfig {

    /** One kubeconfig file. */
    private record Part(Path file, JsonObject content) {}

    /** An entry of a kubeconfig, and the file that contains the entry. */
    private record Entry(String kind, JsonObject content, Path file) {

        Optional<String> text(String name) {
            return content.text(name).filter(each -> !each.isEmpty());
        }

        /**
         * Returns the bytes of a certificate or key. They are the decoded base64 text in the field NAME-data. Without
         * this field, they are the content of the file whose path is in the field NAME. NAME stands for {@code name}.
         */
        Optional<byte[]> bytes(String name) throws IOException {
            Optional<String> data = text(name + "-data");
            if (data.isPresent()) {
                try {
                    return Optional.of(Base64.getDecoder().decode(data.get().replaceAll("\\s", "")));
                } catch (IllegalArgumentException e) {
                    // The exception has no cause, because the cause's message can contain part of a key.
                    throw new IOException(name + "-data is not base64");
                }
            }
            Optional<String> path = text(name);
            return path.isEmpty() ? Optional.empty() : Optional.of(Files.readAllBytes(file.resolveSibling(path.get())));
        }
    }

    private static final List<String> PLUGINS = List.of("exec", "auth-provider");

    private final List<Part> parts;

    private Kubeconfig(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Reads the files in {@code paths}, in the order of {@code KUBECONFIG}. The method skips files that do not exist.
     *
     * @throws StoreUnavailableException if no file exists, or if a file cannot be read as YAML
     */
    public static Kubeconfig read(List<Path> paths) {
        List<Part> parts = new ArrayList<>();
        for (Path path : paths) {
            if (Files.exists(path)) {
                parts.add(new Part(path.toAbsolutePath(), content(path)));
            }
        }
        if (parts.isEmpty()) {
            throw new StoreUnavailableException(
                    "kubernetes: this process does not run in a Pod, and no kubeconfig exists at " + paths
                            + "; set KUBECONFIG, or write kubernetes:?kubeconfig=PATH");
        }
        return new Kubeconfig(parts);
    }

    /**
     * Returns the cluster and the account of a context.
     *
     * @param requestedContext the name of the context; empty for the current context
     * @param namespace the namespace; empty for the namespace of the context, which is {@code default} by default
     * @throws StoreUnavailableException if the context is missing, incomplete or not supported
     */
    public Cluster cluster(Optional<String> requestedContext, Optional<String> namespace) {
        String named = requestedContext
                .or(() -> first("current-context"))
                .orElseThrow(() -> new StoreUnavailableException(
                        "kubernetes: the kubeconfig names no current-context; write kubernetes:?context=NAME"));
        Entry context = entry("contexts", "context", named);
        Entry cluster = entry("clusters", "cluster", context.text("cluster").orElse(""));
        Entry user = entry("users", "user", context.text("user").orElse(""));
        refuse(cluster, user);
        try {
            return new Cluster(
                    server(cluster),
                    PemTls.of(
                            cluster.bytes("certificate-authority"),
                            user.bytes("client-certificate"),
                            user.bytes("client-key")),
                    token(user),
                    namespace.or(() -> context.text("namespace")).orElse("default"));
        } catch (IOException | GeneralSecurityException e) {
            throw new StoreUnavailableException(
                    "kubernetes: the certificates of context \"" + named + "\" in " + user.file() + " cannot be used: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void refuse(Entry cluster, Entry user) {
        for (String plugin : PLUGINS) {
            if (user.content().fields().containsKey(plugin)) {
                throw new StoreUnavailableException(
                        "kubernetes: the user in " + user.file() + " authenticates by \"" + plugin
                                + "\", a program that Doyen does not run; use a token, a tokenFile or a client"
                                + " certificate");
            }
        }
        if (cluster.content().flag("insecure-skip-tls-verify")) {
            throw new StoreUnavailableException("kubernetes: the cluster in " + cluster.file()
                    + " has insecure-skip-tls-verify, and whoever answers could then name the leader; give its"
                    + " certificate-authority");
        }
        for (String field : List.of("proxy-url", "tls-server-name")) {
            if (cluster.text(field).isPresent()) {
                throw new StoreUnavailableException("kubernetes: the cluster in " + cluster.file() + " has " + field
                        + ", which Doyen does not support; give a server that is reached by its own name");
            }
        }
    }

    private static URI server(Entry cluster) {
        String server = cluster.text("server").orElse("").replaceAll("/+$", "");
        if (!server.matches("https://[^/?#@]+(/[^?#]*)?")) {
            throw new StoreUnavailableException(
                    "kubernetes: the cluster in " + cluster.file() + " has no server such as https://10.0.0.1:6443");
        }
        return URI.create(server);
    }

    private static BearerToken token(Entry user) {
        return user.text("tokenFile")
                .map(path -> BearerToken.in(user.file().resolveSibling(path), System::nanoTime))
                .or(() -> user.text("token").map(BearerToken::of))
                .orElseGet(BearerToken::none);
    }

    private Optional<String> first(String field) {
        return parts.stream()
                .flatMap(part -> part.content().text(field).stream())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    private Entry entry(String list, String kind, String name) {
        for (Part part : parts) {
            for (JsonObject each : part.content().objects(list)) {
                if (each.text("name").orElse("").equals(name)) {
                    return new Entry(kind, each.at(kind), part.file());
                }
            }
        }
        throw new StoreUnavailableException("kubernetes: there is no " + kind + " \"" + name + "\" in "
                + parts.stream().map(Part::file).toList());
    }

    private static JsonObject content(Path path) {
        try (var in = Files.newInputStream(path)) {
            Object loaded =
                    new Load(LoadSettings.builder().setLabel("kubeconfig").build()).loadFromInputStream(in);
            Map<String, Object> fields = new LinkedHashMap<>();
            if (loaded instanceof Map<?, ?> map) {
                map.forEach((name, value) -> {
                    if (value != null) {
                        fields.put(String.valueOf(name), value);
                    }
                });
            }
            return new JsonObject(fields);
        } catch (IOException | YamlEngineException e) {
            // The exception has no cause, because the parser's message repeats the line, which can contain a token.
            throw new StoreUnavailableException("kubernetes: the kubeconfig " + path + " cannot be read as YAML");
        }
    }
}
