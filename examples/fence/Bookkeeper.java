import dev.doyen.Election;
import dev.doyen.fence.FenceHeaders;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Writes what you type to the ledger while it leads: java Bookkeeper.java ID STORE LEDGER-URL. */
public class Bookkeeper {
    public static void main(String[] args) throws Exception {
        var typed = new BufferedReader(new InputStreamReader(System.in));
        var client = HttpClient.newHttpClient();
        try (var election = Election.lease("orders").store(args[1]).ttl(Duration.ofSeconds(5)).open();
                var me = election.join(args[0])) {
            me.whileLeading(leadership -> {
                System.out.println(me.id() + " leads in term " + leadership.term());
                while (leadership.isCertain()) {
                    String entry = typed.readLine();
                    if (entry == null) {
                        return;
                    }
                    // If the process freezes between the check above and this line, only the ledger can reject the
                    // write.
                    var request = HttpRequest.newBuilder(URI.create(args[2]))
                            .POST(HttpRequest.BodyPublishers.ofString(entry));
                    FenceHeaders.put("orders", leadership.term(), request::header);
                    String answer = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
                            .join()
                            .body();
                    System.out.println(me.id() + " in term " + leadership.term() + ": " + answer);
                }
            });
        }
    }
}
