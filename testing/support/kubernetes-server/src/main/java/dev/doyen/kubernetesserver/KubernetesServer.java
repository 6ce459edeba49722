package dev.doyen.kubernetesserver;

import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A real Kubernetes API server with its own etcd, on a port of this machine.
 *
 * <p>The server has RBAC and admission webhooks. With the controller manager, the server also collects garbage, and
 * creates the unscheduled Pods of Deployments. No kubelet runs the Pods.
 *
 * <p>Threads: the thread of one test. Errors: {@link IllegalStateException} with the end of a log if a process does not
 * start. All processes end with {@link #close}, or when the JVM of the test ends for any reason.
 */
public final class KubernetesServer implements AutoCloseable {

    private static final String ADMIN_TOKEN = "admintoken";
    private static final Duration READY_WITHIN = Duration.ofMinutes(5);
    private static final String CONTROLLERS =
            "garbagecollector,deployment,statefulset,replicaset,namespace,serviceaccount,endpoint,endpointslice,podgc";

    private final Path dir;
    private final KubernetesPrograms programs;
    private final List<ServerProcess> running = new ArrayList<>();
    private final ServerProcess api;
    private final HttpClient client;

    private KubernetesServer(KubernetesPrograms programs, Path dir, ServerProcess etcd, ServerProcess api)
            throws Exception {
        this.programs = programs;
        this.dir = dir;
        this.api = api;
        this.client = client(caFile());
        running.add(api);
        running.add(etcd);
    }

    /** Skips the test and prints the reason if etcd or kube-apiserver is missing. */
    public static void assumeInstalled() {
        KubernetesPrograms.assumeThere();
    }

    /**
     * Starts etcd and the API server, and waits until the API is ready. All files of both programs are in {@code dir}.
     */
    public static KubernetesServer start(Path dir) throws Exception {
        KubernetesPrograms programs = KubernetesPrograms.assumeThere();
        serviceAccountKeys(dir);
        Files.writeString(dir.resolve("tokens.csv"), ADMIN_TOKEN + ",admin,admin,\"system:masters\"\n");
        Path program = programs.program("kube-apiserver");
        ServerProcess etcd = startEtcd(dir);
        try {
            ServerProcess api =
                    ServerProcess.start(dir.resolve("api.log"), port -> apiCommand(program, dir, etcd.port(), port));
            var server = new KubernetesServer(programs, dir, etcd, api);
            server.awaitReady();
            return server;
        } catch (Exception | Error e) {
            etcd.close();
            throw e;
        }
    }

    /** Returns the base URL, such as {@code https://127.0.0.1:36443}. */
    public String url() {
        return url(api.port());
    }

    /** Returns the PEM file with the certificates that clients must trust. */
    public Path caFile() {
        return dir.resolve("certs").resolve("apiserver.crt");
    }

    /** Returns a token with all rights. */
    public String adminToken() {
        return ADMIN_TOKEN;
    }

    /**
     * Writes a kubeconfig file for {@code admin} or for a service account.
     *
     * <p>Pass a service account as {@code namespace/name}. This method creates the account if it does not exist.
     * The namespace of the context is the account's namespace, or {@code default} for the admin.
     */
    public Path kubeconfig(String user) throws Exception {
        return kubeconfig(user, api.port());
    }

    /**
     * Writes a kubeconfig file that connects through another port of this machine.
     *
     * <p>For example, a proxy listens on that port.
     */
    public Path kubeconfig(String user, int port) throws Exception {
        int slash = user.indexOf('/');
        String namespace = slash < 0 ? "default" : user.substring(0, slash);
        String token = user.equals("admin") ? ADMIN_TOKEN : serviceAccountToken(namespace, user.substring(slash + 1));
        Path file = dir.resolve("kubeconfig-" + user.replace('/', '-') + "-" + port);
        return Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: test
                contexts:
                - name: test
                  context: {cluster: test, user: test, namespace: "%s"}
                clusters:
                - name: test
                  cluster: {server: "%s", certificate-authority: "%s"}
                users:
                - name: test
                  user: {token: "%s"}
                """.formatted(namespace, url(port), caFile(), token));
    }

    /**
     * Returns a token for this service account from the TokenRequest API.
     *
     * <p>This method creates the account and its namespace if they do not exist.
     */
    public String serviceAccountToken(String namespace, String name) throws Exception {
        make("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
        make(accounts, "{\"metadata\":{\"name\":\"" + name + "\"}}");
        HttpResponse<String> answer = send(
                "POST",
                accounts + "/" + name + "/token",
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}");
        Matcher token = Pattern.compile("\"token\": ?\"([^\"]+)\"").matcher(answer.body());
        if (!token.find()) {
            throw new IllegalStateException("no token for " + namespace + "/" + name + ": " + answer.body());
        }
        return token.group(1);
    }

    /** Creates an object as the admin, unless an object of that name exists. */
    public void make(String collection, String json) throws Exception {
        HttpResponse<String> answer = send("POST", collection, json);
        if (answer.statusCode() != 201 && answer.statusCode() != 409) {
            throw new IllegalStateException("POST " + collection + ": " + answer.statusCode() + " " + answer.body());
        }
    }

    /** Sends a request as the admin, without a body if {@code body} is empty. A PATCH is a merge patch. */
    public HttpResponse<String> send(String method, String path, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url() + path))
                        .timeout(Duration.ofSeconds(20))
                        .header("Authorization", "Bearer " + ADMIN_TOKEN)
                        .header(
                                "Content-Type",
                                method.equals("PATCH") ? "application/merge-patch+json" : "application/json")
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /**
     * Returns the process of the API server, for tests that kill or freeze it.
     *
     * <p>After a restart of the process, call {@link #awaitReady} before the next request.
     */
    public ServerProcess api() {
        return api;
    }

    /** Kills the API server. Its etcd continues to run and keeps the objects. */
    public void stopApi() {
        api.kill();
    }

    /** Starts the API server again on the same port, and waits until it is ready. */
    public void startApi() throws Exception {
        api.restart();
        awaitReady();
    }

    /**
     * Starts kube-controller-manager.
     *
     * <p>The manager runs only the controllers for Deployments, StatefulSets, ReplicaSets, endpoints, endpoint slices,
     * namespaces and service accounts, and the two garbage collectors: for owned objects and for Pods.
     */
    public void startControllerManager() throws Exception {
        Path program = programs.program("kube-controller-manager");
        Path kubeconfig = kubeconfig("admin");
        running.add(
                0,
                ServerProcess.start(
                        dir.resolve("controllers.log"),
                        port -> List.of(
                                program.toString(),
                                "--kubeconfig=" + kubeconfig,
                                "--leader-elect=false",
                                "--controllers=" + CONTROLLERS,
                                "--service-account-private-key-file=" + dir.resolve("sa.key"),
                                "--bind-address=127.0.0.1",
                                "--cert-dir=" + dir.resolve("controller-certs"),
                                "--port=0",
                                "--secure-port=" + port)));
    }

    @Override
    public void close() {
        running.forEach(ServerProcess::close);
    }

    /**
     * Waits at most 5 min until the API server is ready.
     *
     * <p>Call this method after a restart. A server that is not ready can already listen, and can wrongly answer that
     * an existing object does not exist.
     */
    public void awaitReady() throws Exception {
        long start = System.nanoTime();
        String last = "no answer";
        do {
            try {
                HttpResponse<String> answer = send("GET", "/readyz", "");
                if (answer.statusCode() == 200) {
                    return;
                }
                last = answer.body();
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            TimeUnit.MILLISECONDS.sleep(50);
        } while (System.nanoTime() - start < READY_WITHIN.toNanos());
        throw new IllegalStateException("the API server is not ready after " + READY_WITHIN.toSeconds() + " s: " + last
                + "; see " + dir.resolve("api.log"));
    }

    private static ServerProcess startEtcd(Path dir) throws Exception {
        String peer = "http://127.0.0.1:" + ServerProcess.freePort();
        return ServerProcess.start(dir.resolve("etcd.log"), port -> {
            String client = "http://127.0.0.1:" + port;
            return List.of(
                    "etcd",
                    "--data-dir=" + dir.resolve("etcd-" + port),
                    "--listen-client-urls=" + client,
                    "--advertise-client-urls=" + client,
                    "--listen-peer-urls=" + peer,
                    "--initial-advertise-peer-urls=" + peer,
                    "--initial-cluster=default=" + peer,
                    "--unsafe-no-fsync");
        });
    }

    /**
     * Returns the command line of kube-apiserver.
     *
     * <p>The command disables the ServiceAccount admission plugin, which would reject Pods until a controller has
     * created the token of their account.
     */
    private static List<String> apiCommand(Path program, Path dir, int etcdPort, int port) {
        return List.of(
                program.toString(),
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + dir.resolve("certs"),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-signing-key-file=" + dir.resolve("sa.key"),
                "--service-account-key-file=" + dir.resolve("sa.pub"),
                "--api-audiences=https://kubernetes.default.svc",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + dir.resolve("tokens.csv"),
                "--service-cluster-ip-range=10.0.0.0/24",
                "--disable-admission-plugins=ServiceAccount",
                "--allow-privileged=true");
    }

    private static void serviceAccountKeys(Path dir) throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair pair = generator.generateKeyPair();
        pem(dir.resolve("sa.key"), "PRIVATE KEY", pair.getPrivate().getEncoded());
        pem(dir.resolve("sa.pub"), "PUBLIC KEY", pair.getPublic().getEncoded());
    }

    private static void pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static HttpClient client(Path ca) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(ca)) {
            int n = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("ca-" + n++, each);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    private static String url(int port) {
        return "https://127.0.0.1:" + port;
    }
}
