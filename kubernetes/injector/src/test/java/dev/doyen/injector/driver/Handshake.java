package dev.doyen.injector.driver;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Opens a TLS connection to a webhook at localhost, as an API server does. */
final class Handshake {

    private Handshake() {}

    /** Returns the certificate of the server. Fails if the certificate is not trusted. */
    static X509Certificate with(int port, byte[] authorities) throws Exception {
        try (var socket = open(port, authorities)) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    static SSLSocket open(int port, byte[] authorities) throws Exception {
        return open(port, authorities, InetAddress.getLoopbackAddress().getHostAddress());
    }

    /** Connects from this address of the machine. */
    static SSLSocket open(int port, byte[] authorities, String from) throws Exception {
        var socket = (SSLSocket) trusting(authorities)
                .getSocketFactory()
                .createSocket("localhost", port, InetAddress.getByName(from), 0);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    static SSLContext trusting(byte[] authorities) throws Exception {
        var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        for (var each :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(authorities))) {
            trusted.setCertificateEntry(each.toString(), each);
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
