package dev.doyen.hub.server;

import dev.doyen.elector.http.HttpHandler;
import io.netty.channel.EventLoop;

/**
 * The pages that the hub's port serves in addition to the console.
 *
 * <p>{@link HubServer} calls both methods on the thread that starts and closes the server.
 */
public interface HubPages extends AutoCloseable {

    /** The pages of a hub without a demo. These pages consist of the browser client only. */
    HubPages CLIENT_ONLY = new HubPages() {
        @Override
        public HttpHandler site(String elector, EventLoop streams) {
            return new ClientHandler(HubServer.class.getClassLoader());
        }

        @Override
        public void close() {}
    };

    /**
     * Creates the handler that answers requests for the pages.
     *
     * @param elector the root URL of the elector API, in a form that a browser can open
     * @param streams the event loop that runs the event streams of the pages and ends with the server
     */
    HttpHandler site(String elector, EventLoop streams);

    /** Stops everything that the pages have started. The server calls this method when the hub's port is closed. */
    @Override
    void close();
}
