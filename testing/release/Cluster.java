import dev.doyen.kubernetesserver.KubernetesServer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Starts a Kubernetes API server until the standard input ends, with its files in the folder of the argument.
 *
 * <p>Prints one line of JSON with the kubeconfig file, the URL, the file of the certificate authority, and the token of
 * the admin. If a program is missing, the line has only the field {@code skipped}.
 */
public final class Cluster {

    public static void main(String[] args) throws Exception {
        var folder = Files.createDirectories(Path.of(args[0]).toAbsolutePath());
        try (var server = KubernetesServer.start(folder)) {
            System.out.printf(
                    "{\"kubeconfig\": \"%s\", \"url\": \"%s\", \"ca\": \"%s\", \"token\": \"%s\"}%n",
                    server.kubeconfig("admin"), server.url(), server.caFile(), server.adminToken());
            System.in.transferTo(System.out);
        } catch (org.opentest4j.TestAbortedException missing) {
            System.out.printf("{\"skipped\": \"%s\"}%n", missing.getMessage().replace("\"", "'"));
        }
    }
}
