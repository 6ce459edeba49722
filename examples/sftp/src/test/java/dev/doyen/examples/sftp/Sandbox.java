package dev.doyen.examples.sftp;

import dev.doyen.postgresserver.PostgresServer;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.file.virtualfs.VirtualFileSystemFactory;
import org.apache.sshd.common.session.SessionContext;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.sftp.server.SftpEventListener;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/**
 * An SFTP server and a PostgreSQL server for the tests and for trying out the example. Both servers listen only on
 * this machine.
 */
final class Sandbox implements AutoCloseable {

    static final String PASSWORD = "sandbox";
    static final int ACCOUNTS = 100;

    private final Path root = Files.createTempDirectory("doyen-sandbox");
    private final Path folder = Files.createDirectories(root.resolve("files/in"));
    private final SshServer ssh = SshServer.setUpDefaultServer();
    private final SftpSubsystemFactory sftp = new SftpSubsystemFactory();
    private final PostgresServer postgres;
    private final String hostKey;

    Sandbox() throws IOException {
        var keys = new SimpleGeneratorHostKeyProvider();
        keys.setAlgorithm(KeyUtils.EC_ALGORITHM);
        keys.setKeySize(256);
        ssh.setHost("127.0.0.1");
        ssh.setKeyPairProvider(keys);
        ssh.setPasswordAuthenticator((user, password, session) -> password.equals(PASSWORD));
        ssh.setSubsystemFactories(List.of(sftp));
        ssh.setFileSystemFactory(new VirtualFileSystemFactory(root.resolve("files")));
        ssh.start();
        hostKey = KeyUtils.getFingerPrint(
                keys.loadKeys((SessionContext) null).iterator().next().getPublic());
        postgres = PostgresServer.start(root.resolve("postgres"));
    }

    public static void main(String[] arguments) throws Exception {
        int rows = arguments.length == 0 ? 200_000 : Integer.parseInt(arguments[0]);
        var sandbox = new Sandbox();
        Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close));
        sandbox.upload("payments.csv", rows);
        System.out.println(
                "The folder is " + sandbox.folder + "; payments.csv has " + rows + " rows. Run this in other terminals,"
                        + " each with a different --id:\n\nSFTP_PASSWORD=" + PASSWORD
                        + " java -jar examples/sftp/target/sftp.jar --id a \\\n  "
                        + String.join(" ", sandbox.options()) + "\n\nThis command shows the result:\n\npsql -h"
                        + " 127.0.0.1 -p " + sandbox.postgres.port() + " -U postgres -c"
                        + " 'SELECT booked_by, count(*) FROM payment GROUP BY 1'");
        Thread.currentThread().join();
    }

    /** Returns the program's options for these servers. */
    List<String> options() {
        return List.of(
                "--sftp",
                "sftp://sandbox@127.0.0.1:" + ssh.getPort() + "/in",
                "--host-key",
                hostKey,
                "--db",
                postgres.url());
    }

    /** Adds a listener to all later connections. The server calls the listener before it changes a file. */
    void onChange(SftpEventListener listener) {
        sftp.addSftpEventListener(listener);
    }

    String databaseUrl() {
        return postgres.url();
    }

    Path folder() {
        return folder;
    }

    /** Uploads a file of payments. The file first has another name, as the example requires of senders. */
    void upload(String name, int rows) throws IOException {
        Path part = folder.resolve("." + name);
        try (BufferedWriter out = Files.newBufferedWriter(part)) {
            for (int row = 1; row <= rows; row++) {
                out.write(account(row) + "," + cents(row) + "\n");
            }
        }
        Files.move(part, folder.resolve(name));
    }

    static String account(long row) {
        return "account-" + row * 7919 % ACCOUNTS;
    }

    static long cents(long row) {
        return row * 31 % 10_007;
    }

    @Override
    public void close() {
        try {
            ssh.stop(true);
            postgres.close();
            try (var files = Files.walk(root)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(each -> each.toFile().delete());
            }
        } catch (IOException e) {
            System.err.println("the sandbox could not be deleted: " + root + ": " + e);
        }
    }
}
