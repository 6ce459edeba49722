package dev.doyen.program.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Imitates the externally visible behaviour of the NAIS elector.
 *
 * <p>Source: {@code pkg/election/candidate} and {@code pkg/election/official} of nais/elector, at commit 80dbfeb. The
 * elector creates the Lease with its own Pod as the owner, without a duration or a renewal time. The elector watches
 * the Lease, names its holder, and creates the Lease again after its deletion. The elector never renews or releases the
 * Lease, and exits without cleanup. If the server is unreachable, the elector continues to name the last holder.
 */
final class NaisElector implements Competitor {

    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final ElectorCluster cluster;
    private final Account account;
    private final String pod;
    private final String uid;
    private final Thread thread;
    private volatile String named = "";
    private volatile @Nullable InputStream watch;
    private volatile boolean ended;

    NaisElector(ElectorCluster cluster, String accountName, String pod) throws Exception {
        this.cluster = cluster;
        this.pod = pod;
        account = cluster.asAccount(accountName);
        cluster.makePod(pod);
        uid = Account.json(account.send("GET", cluster.pods() + "/" + pod, ""))
                .at("/metadata/uid")
                .asText();
        thread = new Thread(this::run, "nais-elector-" + pod);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public String pod() {
        return pod;
    }

    @Override
    public Optional<String> named() {
        return ended ? Optional.empty() : Optional.of(named);
    }

    /** Acts like the kubelet: ends the elector at once, as SIGTERM does, and then deletes the Pod. */
    @Override
    public void end() throws Exception {
        ended = true;
        Optional.ofNullable(watch).ifPresent(NaisElector::close);
        thread.interrupt();
        thread.join();
        cluster.deletePod(pod);
    }

    private void run() {
        while (!ended) {
            try {
                campaign();
                follow();
            } catch (IOException | RuntimeException e) {
                // Retry, like the reconciler of the NAIS elector.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void campaign() throws IOException, InterruptedException {
        account.send("POST", cluster.leases(), """
                {"metadata":{"name":"%s","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"%s","uid":"%s"}]},
                "spec":{"holderIdentity":"%s","acquireTime":"%s"}}""".formatted(
                        cluster.election(), pod, uid, pod, MICRO_TIME.format(Instant.now())));
    }

    /** Names the holder of the Lease. Returns if no Lease exists, and when the Lease is deleted or the watch ends. */
    private void follow() throws IOException, InterruptedException {
        var selector = "fieldSelector=metadata.name%3D" + cluster.election();
        var list = Account.json(account.send("GET", cluster.leases() + "?" + selector, ""));
        var items = list.path("items");
        if (items.isEmpty()) {
            return;
        }
        name(items.get(0));
        var stream = account.stream(cluster.leases() + "?watch=1&timeoutSeconds=60&" + selector + "&resourceVersion="
                + list.at("/metadata/resourceVersion").asText());
        watch = stream;
        if (ended) {
            close(stream);
        }
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var event = Account.json(line);
                if (event.path("type").asText().equals("DELETED")) {
                    return;
                }
                name(event.path("object"));
            }
        }
    }

    private static void close(InputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            // The stream is not needed any more.
        }
    }

    private void name(JsonNode lease) {
        if (!ended) {
            named = lease.at("/spec/holderIdentity").asText();
        }
    }
}
