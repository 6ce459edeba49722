package dev.doyen.examples.sftp;

import dev.doyen.Election;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Books the rows of the files in an SFTP folder.
 *
 * <p>Start the program on several machines. The leader reads the folder and hands out rows, and all processes book
 * these rows. The environment variable SFTP_PASSWORD contains the SFTP server's password.
 */
public final class PaymentImport {

    private static final String USAGE = "usage: java -jar sftp.jar --sftp sftp://user@host:port/folder"
            + " --host-key SHA256:... --db jdbc:postgresql://... --id NAME [--ttl PT10S]";
    private static final List<String> NEEDED = List.of("--sftp", "--host-key", "--db", "--id");
    private static final int PAUSE_MILLIS = 1000;

    private PaymentImport() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = options(arguments);
        if (!options.keySet().containsAll(NEEDED)) {
            System.err.println(USAGE);
            System.exit(2);
        }
        String id = options.getOrDefault("--id", "");
        String db = options.getOrDefault("--db", "");
        Duration ttl = Duration.parse(options.getOrDefault("--ttl", "PT10S"));
        DataSource database = Database.open(db, ttl);
        startClerk(database, id);
        try (Election election = Election.lease("payments").store(db).ttl(ttl).open();
                LeaseCandidate me = election.join(id)) {
            System.out.println(id + " is there");
            boolean campaigns = true;
            while (campaigns) {
                try {
                    // The method returns false after the candidate was closed, for example because of SIGTERM.
                    campaigns = me.whileLeading(leadership -> lead(leadership, options, database));
                } catch (IOException | SQLException e) {
                    // The fault may affect only this process. So the process releases the lease, and another process
                    // can lead.
                    System.err.println(id + " leads no more: " + e);
                }
            }
        }
    }

    private static void lead(LeaseLeadership leadership, Map<String, String> options, DataSource database)
            throws IOException, SQLException, InterruptedException {
        System.out.println("leads in term " + leadership.term());
        var address = URI.create(options.getOrDefault("--sftp", ""));
        String password = System.getenv().getOrDefault("SFTP_PASSWORD", "");
        try (SftpFolder folder = SftpFolder.open(address, options.getOrDefault("--host-key", ""), password);
                Batches batches = new Batches(database)) {
            new Handout(folder, batches, leadership).run();
        }
    }

    private static void startClerk(DataSource database, String id) {
        var clerk = new Thread(() -> book(database, id), "clerk");
        clerk.setDaemon(true);
        clerk.start();
    }

    private static void book(DataSource database, String id) {
        try {
            while (true) {
                try (Clerk clerk = new Clerk(database, id)) {
                    clerk.run();
                } catch (SQLException e) {
                    System.err.println(id + " books nothing for now: " + e);
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Parses the options. Every option has a value. */
    private static Map<String, String> options(String[] arguments) {
        Map<String, String> options = new HashMap<>();
        for (int at = 0; at + 1 < arguments.length; at += 2) {
            options.put(arguments[at], arguments[at + 1]);
        }
        return options;
    }
}
