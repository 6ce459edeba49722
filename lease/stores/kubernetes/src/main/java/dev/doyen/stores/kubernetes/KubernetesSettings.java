package dev.doyen.stores.kubernetes;

import dev.doyen.store.support.StoreUrl;
import dev.doyen.stores.kubernetes.rest.Cluster;
import dev.doyen.stores.kubernetes.rest.InCluster;
import dev.doyen.stores.kubernetes.rest.Kubeconfig;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings for access to a cluster, parsed from a URL.
 *
 * <p>The URL is {@code kubernetes:[NAMESPACE][?kubeconfig=PATH&context=NAME&timeout-millis=2000&pod=NAME]}.
 *
 * @param namespace the namespace of the Leases; empty for the namespace of the Pod, or of the kubeconfig's context
 * @param kubeconfig the path of a kubeconfig. If this path and {@code context} are empty, a process in a Pod uses the
 *     Pod's account. In all other cases an empty path means {@code KUBECONFIG} or {@code ~/.kube/config}
 * @param context the name of a context in the kubeconfig; empty for the current context
 * @param timeout the limit for each call
 * @param pod the name of this process's Pod, which the store can make the owner of Leases
 */
record KubernetesSettings(
        Optional<String> namespace,
        Optional<Path> kubeconfig,
        Optional<String> context,
        Duration timeout,
        Optional<String> pod) {

    private static final String SCHEME = "kubernetes:";
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    static KubernetesSettings of(String url) {
        String rest = url.substring(SCHEME.length());
        int question = rest.indexOf('?');
        String namespace = question < 0 ? rest : rest.substring(0, question);
        if (!namespace.isEmpty() && !NAMESPACE.matcher(namespace).matches()) {
            throw new IllegalArgumentException(
                    "kubernetes: \"" + namespace.substring(0, Math.min(80, namespace.length()))
                            + "\" is not a namespace; a namespace has 1 to 63 lower-case letters, digits and inner"
                            + " hyphens, as in kubernetes:team-a");
        }
        // StoreUrl requires the name of a server, but this URL has none. So the namespace takes the place of the
        // server.
        StoreUrl parameters = StoreUrl.parse(
                "kubernetes://" + (namespace.isEmpty() ? "own" : namespace)
                        + (question < 0 ? "" : rest.substring(question)),
                443,
                Set.of("kubeconfig", "context", "timeout-millis", "pod"));
        return new KubernetesSettings(
                Optional.of(namespace).filter(each -> !each.isEmpty()),
                parameters.parameter("kubeconfig").map(Path::of),
                parameters.parameter("context"),
                parameters.millis(
                        "timeout-millis", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(1)),
                parameters.parameter("pod").map(KubernetesSettings::podName));
    }

    private static String podName(String name) {
        if (!LeaseObjectNames.isObjectName(name)) {
            throw new IllegalArgumentException("kubernetes: pod=\"" + name.substring(0, Math.min(80, name.length()))
                    + "\" is not the name of a Pod; a name has lower-case letters, digits, dots and inner hyphens, as"
                    + " in pod=orders-5d9c7b-x2x4z");
        }
        return name;
    }

    Cluster cluster() {
        return cluster(System.getenv(), InCluster.ACCOUNT);
    }

    Cluster cluster(Map<String, String> environment, Path account) {
        var pod = new InCluster(environment, account);
        if (kubeconfig.isEmpty() && context.isEmpty() && pod.isHere()) {
            return pod.cluster(namespace);
        }
        return Kubeconfig.read(kubeconfig.map(List::of).orElseGet(() -> usual(environment)))
                .cluster(context, namespace);
    }

    /** Returns the files that kubectl reads by default. */
    private static List<Path> usual(Map<String, String> environment) {
        String named = environment.getOrDefault("KUBECONFIG", "");
        if (!named.isEmpty()) {
            return Arrays.stream(named.split(Pattern.quote(File.pathSeparator)))
                    .filter(each -> !each.isEmpty())
                    .map(Path::of)
                    .toList();
        }
        return List.of(Path.of(System.getProperty("user.home"), ".kube", "config"));
    }
}
