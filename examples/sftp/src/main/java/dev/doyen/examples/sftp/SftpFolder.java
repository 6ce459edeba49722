package dev.doyen.examples.sftp;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;

/** A folder of an SFTP server, and its files. Threads: one at a time. */
final class SftpFolder implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String DONE = "done";

    private final SshClient ssh;
    private final SftpClient sftp;
    private final String path;

    private SftpFolder(SshClient ssh, SftpClient sftp, String path) {
        this.ssh = ssh;
        this.sftp = sftp;
        this.path = path;
    }

    /**
     * Connects to the server and opens the folder.
     *
     * @param folder the URL of the folder, {@code sftp://user@host:port/path}
     * @param hostKey the server's key in the format of {@code ssh-keygen -l}, {@code SHA256:...}. If the client
     *     accepted every key, it would also send the password to a forged server
     */
    static SftpFolder open(URI folder, String hostKey, String password) throws IOException {
        SshClient ssh = SshClient.setUpDefaultClient();
        ssh.setServerKeyVerifier((session, address, key) ->
                Boolean.TRUE.equals(KeyUtils.checkFingerPrint(hostKey, key).getKey()));
        ssh.start();
        try {
            int port = folder.getPort() < 0 ? 22 : folder.getPort();
            ClientSession session = ssh.connect(folder.getUserInfo(), folder.getHost(), port)
                    .verify(PATIENCE)
                    .getSession();
            session.addPasswordIdentity(password);
            session.auth().verify(PATIENCE);
            return new SftpFolder(ssh, SftpClientFactory.instance().createSftpClient(session), folder.getPath());
        } catch (IOException | RuntimeException e) {
            ssh.stop();
            throw e;
        }
    }

    /**
     * Returns the sorted names of the waiting files. The result omits names that start with a dot, because these files
     * are incomplete.
     */
    List<String> waiting() throws IOException {
        List<String> names = new ArrayList<>();
        for (SftpClient.DirEntry entry : sftp.readDir(path)) {
            if (entry.getAttributes().isRegularFile() && !entry.getFilename().startsWith(".")) {
                names.add(entry.getFilename());
            }
        }
        names.sort(null);
        return names;
    }

    RowReader read(Position from) throws IOException {
        SftpClient.CloseableHandle file = sftp.open(path + "/" + from.file());
        return new RowReader((offset, buffer) -> sftp.read(file, offset, buffer), file, from.offset());
    }

    /**
     * Moves a file to the folder of done files, unless it is already there.
     *
     * <p>The SFTP server does not check a term, so a former leader can also run this method, even at the same time.
     * Therefore this step is the last step for a file, and a second run of this method has no effect.
     */
    void moveToDone(String file) throws IOException {
        try {
            sftp.mkdir(path + "/" + DONE);
        } catch (SftpException e) {
            if (!exists(path + "/" + DONE)) {
                throw e;
            }
        }
        try {
            sftp.rename(path + "/" + file, path + "/" + DONE + "/" + file);
        } catch (SftpException e) {
            if (exists(path + "/" + file)) {
                throw e;
            }
        }
    }

    private boolean exists(String name) throws IOException {
        try {
            sftp.stat(name);
            return true;
        } catch (SftpException e) {
            if (e.getStatus() == SftpConstants.SSH_FX_NO_SUCH_FILE) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void close() {
        ssh.stop();
    }
}
