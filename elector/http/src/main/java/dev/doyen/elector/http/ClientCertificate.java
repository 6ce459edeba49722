package dev.doyen.elector.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLPeerUnverifiedException;

/**
 * Decides whether a client certificate authenticates the sender of a request as the admin.
 *
 * <p>The TLS handshake has already checked that an authority of the server signed the certificate.
 *
 * <p>Threads: the event loop of the channel.
 */
public final class ClientCertificate {

    private ClientCertificate() {}

    /**
     * Returns true if the client has a valid certificate and sent the request itself.
     *
     * <p>A browser sends the certificate with the requests of any page. So a request with an {@code Origin} header must
     * come from a page of this server. A request that a proxy has forwarded is not accepted, because the certificate is
     * then the certificate of the proxy.
     */
    public static boolean isAdmin(Channel channel, FullHttpRequest request) {
        var tls = channel.pipeline().get(SslHandler.class);
        return tls != null && hasCertificate(tls) && !RequestOrigin.isForwarded(request) && isFromOwnPage(request);
    }

    private static boolean hasCertificate(SslHandler tls) {
        Certificate[] chain;
        try {
            chain = tls.engine().getSession().getPeerCertificates();
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
        try {
            // The certificate can expire while the connection is open.
            ((X509Certificate) chain[0]).checkValidity();
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    private static boolean isFromOwnPage(FullHttpRequest request) {
        String origin = request.headers().get(HttpHeaderNames.ORIGIN);
        return origin == null
                || origin.equalsIgnoreCase("https://" + request.headers().get(HttpHeaderNames.HOST, ""));
    }
}
