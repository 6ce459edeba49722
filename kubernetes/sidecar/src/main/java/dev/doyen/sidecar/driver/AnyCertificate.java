package dev.doyen.sidecar.driver;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts any certificate of a server, as the kubelet does in its probes.
 *
 * <p>Only the health check of the app uses this class. The check sends no secret, and the app often has a certificate
 * for another host name than localhost.
 */
final class AnyCertificate extends X509ExtendedTrustManager {

    private AnyCertificate() {}

    /** The sockets, which are created at the first use. */
    private static final class Sockets {
        private static final SSLSocketFactory FACTORY = create();

        private static SSLSocketFactory create() {
            try {
                var context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new AnyCertificate()}, null);
                return context.getSocketFactory();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java runtime has no TLS", e);
            }
        }
    }

    /** Returns a factory of TLS sockets that accept any certificate. */
    static SSLSocketFactory sockets() {
        return Sockets.FACTORY;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
