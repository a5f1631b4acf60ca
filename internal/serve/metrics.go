package serve

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics count what a service does, for Prometheus.
type metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec   // by verb and status
	seconds  *prometheus.HistogramVec // by verb
	asked    *prometheus.CounterVec   // proposals, by study
	told     *prometheus.CounterVec   // answers, by study and what became of them
	failures *prometheus.CounterVec   // of the server's own, by study and verb
	refused  *prometheus.CounterVec   // requests, by reason
	streams  prometheus.Gauge

	pending, leased, measured *prometheus.Desc
	service                   *Service
}

func newMetrics(s *Service) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(), service: s,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "invbo_requests_total", Help: "Requests, by verb and HTTP status."}, []string{"verb", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "invbo_request_seconds", Help: "Time that requests took, by verb; streams of events are left out.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}}, []string{"verb"}),
		asked:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "invbo_proposals_total", Help: "Proposals that were lent, by study; those of a lease that ended count again."}, []string{"study"}),
		told:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "invbo_answers_total", Help: "Answers, by study and by what became of them."}, []string{"study", "what"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "invbo_failures_total", Help: "Requests that failed by the server's own fault, by study and verb; its log says why."}, []string{"study", "verb"}),
		refused:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "invbo_refused_total", Help: "Requests that were refused: by rate, token, role, host or streams."}, []string{"reason"}),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "invbo_event_streams", Help: "Streams of events that are open."}),
		pending:  prometheus.NewDesc("invbo_pending", "Proposals that wait for an answer, by study.", []string{"study"}, nil),
		leased:   prometheus.NewDesc("invbo_leases", "Proposals whose lease goes on, by study.", []string{"study"}, nil),
		measured: prometheus.NewDesc("invbo_trials", "Strings with an answer, by study.", []string{"study"}, nil),
	}
	m.registry.MustRegister(m.requests, m.seconds, m.asked, m.told, m.failures, m.refused, m.streams, m,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// version adds what is running.
func (m *metrics) version(version string) {
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "invbo_build_info", Help: "The version that is running; always 1.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.Register(build) // the error is that another API of the service has done so
}

// Describe implements prometheus.Collector.
func (m *metrics) Describe(to chan<- *prometheus.Desc) {
	to <- m.pending
	to <- m.leased
	to <- m.measured
}

// Collect implements prometheus.Collector.
func (m *metrics) Collect(to chan<- prometheus.Metric) {
	for _, name := range m.service.Names() {
		e := m.service.studies[name]
		pending := e.Pending()
		leased, now := 0, m.service.now()
		for _, p := range pending {
			if e.lent(p.ID, now) {
				leased++
			}
		}
		gauge := func(d *prometheus.Desc, v int) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), name)
		}
		gauge(m.pending, len(pending))
		gauge(m.leased, leased)
		gauge(m.measured, len(e.Trials()))
	}
}

// handler answers scrapes.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// request counts a request.
func (m *metrics) request(verb, status string, took time.Duration, stream bool) {
	m.requests.WithLabelValues(verb, status).Inc()
	if !stream {
		m.seconds.WithLabelValues(verb).Observe(took.Seconds())
	}
}
