package dev.doyen.injector.driver;

import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.SidecarKind;
import dev.doyen.stores.kubernetes.rest.Cluster;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A running injector, which consists of the webhook, its certificates and the controller.
 *
 * <p>Threads: one thread starts and closes the injector. Errors: {@link #start} throws {@link IOException} if the
 * injector cannot read its credentials or the cluster's version, or cannot listen. After any other failure, the
 * injector logs the failure and tries again.
 */
public final class InjectorProgram implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(InjectorProgram.class.getName());
    private static final int VERSION_INTERVALS = 60;
    private static final int OK = 200;

    private final AtomicReference<Injection> injection = new AtomicReference<>();
    private final RepeatedTask certificates;
    private final Optional<RepeatedTask> version;
    private final Optional<ElectedController> controller;
    private final WebhookServer server;

    /** Starts the injector, and returns after the injector has a certificate and listens for requests. */
    public static InjectorProgram start(InjectorSettings settings) throws IOException, InterruptedException {
        return new InjectorProgram(settings, settings.access().cluster());
    }

    private InjectorProgram(InjectorSettings settings, Cluster cluster) throws IOException, InterruptedException {
        var api = new KubernetesApi(cluster);
        if (settings.kind().isPresent()) {
            injection.set(new Injection(
                    new InjectionSettings(settings.image(), settings.kind().get())));
            version = Optional.empty();
        } else {
            adaptToVersion(api, settings.image());
            version = Optional.of(new RepeatedTask(
                    "reading the version of the cluster",
                    settings.checkInterval().multipliedBy(VERSION_INTERVALS),
                    () -> adaptToVersion(api, settings.image())));
        }
        var shown = new Shown();
        RepeatedTask.Work keeper = settings.made().isPresent()
                ? new MadeCertificates(api, settings.made().get(), shown, Clock.systemUTC())
                : new GivenCertificates(settings.given().orElseThrow(), shown);
        certificates = new RepeatedTask("renewing the certificate of the webhook", settings.checkInterval(), keeper);
        try {
            shown.awaitFirst();
            server = new WebhookServer(
                    settings.listen(),
                    shown,
                    injection::get,
                    new ReplicaSetRevisions(new KubernetesApi(cluster, ReplicaSetRevisions.TIMEOUT)));
        } catch (IOException | InterruptedException e) {
            certificates.close();
            version.ifPresent(RepeatedTask::close);
            throw e;
        }
        controller = settings.control()
                .map(control -> new ElectedController(api, cluster, control, settings.checkInterval()));
        LOG.log(Level.INFO, "the webhook listens on port " + server.port());
    }

    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        controller.ifPresent(ElectedController::close);
        certificates.close();
        version.ifPresent(RepeatedTask::close);
        server.close();
    }

    private void adaptToVersion(KubernetesApi api, String image) throws IOException, InterruptedException {
        var answer = api.get("/version").expect("reading the version of the cluster", OK);
        var kind = SidecarKind.of(
                answer.path("major").asText(), answer.path("minor").asText());
        LOG.log(Level.DEBUG, "the cluster runs sidecars as " + kind);
        injection.set(new Injection(new InjectionSettings(image, kind)));
    }
}
