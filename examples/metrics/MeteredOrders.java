import com.sun.net.httpserver.HttpServer;
import dev.doyen.Election;
import dev.doyen.micrometer.DoyenMetrics;
import dev.doyen.micrometer.MeteredLeaseStore;
import dev.doyen.store.LeaseStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A candidate that exports its meters to Prometheus: java MeteredOrders.java ID STORE PORT. */
public class MeteredOrders {
    public static void main(String[] args) throws Exception {
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[2]));
        var server = HttpServer.create(address, 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        System.out.println("http://localhost:" + server.getAddress().getPort() + "/metrics");
        try (var store = new MeteredLeaseStore(LeaseStore.open(args[1]), registry);
                var election = Election.lease("orders").store(store).open();
                var me = election.join(args[0]);
                var metrics = DoyenMetrics.bind(registry, me)) {
            me.whileLeading(metrics.watched(leadership -> {
                System.out.println(me.id() + " leads in term " + leadership.term());
                new CountDownLatch(1).await();
            }));
        }
    }
}
