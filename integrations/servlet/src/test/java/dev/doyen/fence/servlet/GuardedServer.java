package dev.doyen.fence.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A real servlet container on a free port of this machine. Its servlet records each request that passes the filter. */
final class GuardedServer implements AutoCloseable {

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private volatile Runnable beforeDispatch = () -> {};
    private final List<String> reached = new CopyOnWriteArrayList<>();

    private GuardedServer(FilterHolder filter) throws Exception {
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        var context = new ServletContextHandler("/");
        filter.setAsyncSupported(true);
        context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        var servlet = new ServletHolder(new Notes());
        servlet.setAsyncSupported(true);
        context.addServlet(servlet, "/*");
        server.setHandler(context);
        server.start();
    }

    static GuardedServer with(FenceFilterSettings settings) throws Exception {
        return new GuardedServer(new FilterHolder(new FenceFilter(settings)));
    }

    /** Configures the filter by its class and init parameters, as a deployment descriptor does. */
    static GuardedServer with(Map<String, String> initParameters) throws Exception {
        var holder = new FilterHolder(FenceFilter.class);
        holder.setName("fence");
        initParameters.forEach(holder::setInitParameter);
        return new GuardedServer(holder);
    }

    URI uri(String path) {
        return URI.create("http://" + connector.getHost() + ":" + connector.getLocalPort() + path);
    }

    /** Sets the action that runs while a request to /async waits for its second dispatch. */
    void beforeDispatch(Runnable happens) {
        beforeDispatch = happens;
    }

    /** Returns the method, the admitted term and the dispatcher type of each request that passed the filter. */
    List<String> reached() {
        return List.copyOf(reached);
    }

    @Override
    public void close() throws Exception {
        server.stop();
    }

    private final class Notes extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Object admitted = request.getAttribute(FenceFilter.ADMITTED);
            String under =
                    admitted instanceof FenceFilter.RequestTerm term ? term.resource() + "/" + term.term() : "no term";
            reached.add(request.getMethod() + " " + under + " " + request.getDispatcherType());
            if (request.getRequestURI().endsWith("/async") && request.getDispatcherType() == DispatcherType.REQUEST) {
                AsyncContext later = request.startAsync();
                beforeDispatch.run();
                later.dispatch();
                return;
            }
            response.getWriter().println("written");
        }
    }
}
