package dev.doyen.injector.driver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.injector.certificate.CertificatePlan;
import dev.doyen.injector.certificate.ServingCertificate;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;

/**
 * Carries out the steps of {@link CertificatePlan}.
 *
 * <p>The certificate is stored in a Secret, and its authorities are announced in the webhook configuration.
 */
final class MadeCertificates implements RepeatedTask.Work {

    private static final System.Logger LOG = System.getLogger(MadeCertificates.class.getName());
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int MAX_STEPS = 6;

    private final KubernetesApi api;
    private final CertificatePlan plan;
    private final CertificateMaker maker;
    private final Shown shown;
    private final Clock clock;
    private final String secrets;
    private final String secretName;
    private final String configuration;

    MadeCertificates(KubernetesApi api, InjectorSettings.Made settings, Shown shown, Clock clock) {
        this.api = api;
        this.plan = new CertificatePlan(settings.life());
        this.maker = new CertificateMaker(settings.hosts(), settings.life());
        this.shown = shown;
        this.clock = clock;
        this.secrets = "/api/v1/namespaces/" + settings.namespace() + "/secrets";
        this.secretName = settings.secret();
        this.configuration =
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/" + settings.configuration();
    }

    @Override
    public void run() throws IOException, InterruptedException {
        for (int i = 0; i < MAX_STEPS; i++) {
            var secret = api.get(secrets + "/" + secretName);
            secret.expect("reading Secret " + secretName, OK, NOT_FOUND);
            var webhooks = api.get(configuration).expect("reading the webhook configuration", OK);
            var stored = read(secretName, secret);
            var now = clock.instant();
            switch (plan.next(now, stored, announced(webhooks), shown.certificate())) {
                case MAKE -> store(secret, maker.make(now, stored.or(shown::certificate)));
                case ANNOUNCE -> {
                    announce(webhooks, stored.orElseThrow());
                    if (!plan.mustNotWait(now, shown.certificate())) {
                        return;
                    }
                }
                case SHOW -> {
                    shown.show(stored.orElseThrow(), entries(secretName));
                    LOG.log(Level.INFO, "the webhook shows " + stored.orElseThrow());
                }
                case REST -> {
                    return;
                }
            }
        }
    }

    private void store(KubernetesApi.Answer before, ServingCertificate made) throws IOException, InterruptedException {
        var secret = JsonNodeFactory.instance.objectNode();
        secret.put("apiVersion", "v1").put("kind", "Secret").put("type", "kubernetes.io/tls");
        var metadata = secret.putObject("metadata").put("name", secretName);
        var data = secret.putObject("data");
        data.put("tls.crt", encode(made.certificate()));
        data.put("tls.key", encode(made.key()));
        data.put("ca.crt", encode(made.authorities()));
        KubernetesApi.Answer answer;
        if (before.status() == NOT_FOUND) {
            answer = api.post(secrets, secret);
        } else {
            metadata.set("resourceVersion", before.body().at("/metadata/resourceVersion"));
            answer = api.put(secrets + "/" + secretName, secret);
        }
        answer.expect("storing Secret " + secretName, OK, CREATED, CONFLICT);
        if (answer.status() != CONFLICT) {
            LOG.log(Level.INFO, "created a certificate for the webhook, valid until " + made.expiry());
        }
    }

    /**
     * Writes the authorities into all webhooks of the configuration.
     *
     * <p>Because of the resourceVersion, the write fails if another process has changed the configuration meanwhile.
     */
    private void announce(JsonNode configured, ServingCertificate certificate)
            throws IOException, InterruptedException {
        ObjectNode updated = configured.deepCopy();
        for (var webhook : updated.withArray("/webhooks")) {
            webhook.withObject("/clientConfig").put("caBundle", encode(certificate.authorities()));
        }
        api.put(configuration, updated).expect("writing the webhook configuration", OK, CONFLICT);
    }

    private static String announced(JsonNode configured) {
        return decode(configured.at("/webhooks/0/clientConfig/caBundle"));
    }

    /**
     * Returns the certificate in a Secret. The result is empty if the Secret is missing or does not contain a
     * certificate with its key. In this case the caller creates another certificate.
     */
    static Optional<ServingCertificate> read(String name, KubernetesApi.Answer secret) {
        if (secret.status() == NOT_FOUND) {
            return Optional.empty();
        }
        var data = secret.body().path("data");
        var read = new ServingCertificate(
                decode(data.path("tls.crt")), decode(data.path("tls.key")), decode(data.path("ca.crt")));
        try {
            Shown.credentials(read, entries(name));
            return Optional.of(read);
        } catch (IOException e) {
            LOG.log(Level.WARNING, e.getMessage() + "; the injector creates another certificate");
            return Optional.empty();
        }
    }

    private static String entries(String secretName) {
        return "tls.crt and tls.key of Secret " + secretName;
    }

    private static String encode(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decode(JsonNode base64) {
        return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.US_ASCII);
    }
}
