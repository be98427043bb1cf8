BEGIN TRANSACTION;
CREATE TABLE arrival (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, bundle_id INTEGER NOT NULL REFERENCES bundle (id),
  catalog TEXT NOT NULL, key TEXT NOT NULL, language TEXT NOT NULL, units BLOB NOT NULL,
  source_id INTEGER REFERENCES source (id), consignment_id INTEGER REFERENCES consignment (id),
  UNIQUE (bundle_id, catalog, key, language));
INSERT INTO "arrival" VALUES(1,'kit',1,'Sources/Kit/Resources/Localizable.xcstrings','%lld birds','uk',X'010A256C6C642062697264730001000A256C6C6420626972647301000EC2AB256C6C64206269726473C2BB010A7472616E736C6174656400000001',1,5);
INSERT INTO "arrival" VALUES(2,'kit',1,'Sources/Kit/Resources/Localizable.xcstrings','Good bye','uk',X'0108476F6F642062796500010008476F6F642062796501000CC2AB476F6F6420627965C2BB010A7472616E736C6174656400000001',2,6);
INSERT INTO "arrival" VALUES(3,'kit',1,'Sources/Kit/Resources/Localizable.xcstrings','Hello','uk',X'010548656C6C6F0001000548656C6C6F010009C2AB48656C6C6FC2BB010A7472616E736C6174656400010A41206772656574696E670001',3,7);
INSERT INTO "arrival" VALUES(4,'kit',1,'Sources/Kit/Resources/Localizable.xcstrings','title','uk',X'01057469746C65000100104269726473206F662074686520646179010014C2AB4269726473206F662074686520646179C2BB010A7472616E736C6174656400000001',4,8);
CREATE TABLE books (
  round_id INTEGER NOT NULL REFERENCES round (id), vendor TEXT NOT NULL, language TEXT NOT NULL,
  sent INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, outstanding INTEGER NOT NULL DEFAULT 0,
  withdrawn INTEGER NOT NULL DEFAULT 0, superseded INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (round_id, vendor, language),
  CHECK (sent = returned + outstanding + withdrawn + superseded),
  CHECK (min(sent, returned, outstanding, withdrawn, superseded) >= 0)) WITHOUT ROWID;
INSERT INTO "books" VALUES(1,'folder:{folder}/drop','de',4,0,3,0,1);
INSERT INTO "books" VALUES(1,'folder:{folder}/drop','uk',4,4,0,0,0);
INSERT INTO "books" VALUES(2,'folder:{folder}/drop','de',1,0,1,0,0);
INSERT INTO "books" VALUES(2,'folder:{folder}/drop','uk',1,0,1,0,0);
CREATE TABLE branch (
  pipeline TEXT NOT NULL, name TEXT NOT NULL, run_id INTEGER NOT NULL REFERENCES run (id),
  PRIMARY KEY (pipeline, name)) WITHOUT ROWID;
INSERT INTO "branch" VALUES('kit','main',2);
CREATE TABLE bundle (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, vendor TEXT NOT NULL, digest TEXT NOT NULL,
  reference TEXT NOT NULL, received REAL NOT NULL, review TEXT, acknowledged INTEGER NOT NULL DEFAULT 0,
  UNIQUE (pipeline, vendor, digest));
INSERT INTO "bundle" VALUES(1,'kit','folder:{folder}/drop','a9b2dbc2e60c8789ec7adfe60d9c7424af120d656f9440d97cfcadba34c18e14','translated/kit-1-uk.xcloc.zip',1.79551681054596471787e+09,NULL,1);
CREATE TABLE consignment (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, round_id INTEGER NOT NULL REFERENCES round (id),
  shipment_id INTEGER NOT NULL REFERENCES shipment (id), source_id INTEGER NOT NULL REFERENCES source (id),
  vendor TEXT NOT NULL, language TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('outstanding', 'returned', 'withdrawn', 'superseded')),
  baseline BLOB, commit_id TEXT NOT NULL, notified INTEGER NOT NULL DEFAULT 0);
INSERT INTO "consignment" VALUES(1,'kit',1,1,1,'folder:{folder}/drop','de','outstanding',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(2,'kit',1,1,2,'folder:{folder}/drop','de','outstanding',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(3,'kit',1,1,3,'folder:{folder}/drop','de','outstanding',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(4,'kit',1,1,4,'folder:{folder}/drop','de','superseded',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',1);
INSERT INTO "consignment" VALUES(5,'kit',1,2,1,'folder:{folder}/drop','uk','returned',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(6,'kit',1,2,2,'folder:{folder}/drop','uk','returned',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(7,'kit',1,2,3,'folder:{folder}/drop','uk','returned',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(8,'kit',1,2,4,'folder:{folder}/drop','uk','returned',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892',0);
INSERT INTO "consignment" VALUES(9,'kit',2,3,5,'folder:{folder}/drop','de','outstanding',NULL,'326f3e5967aae2534942e55a152df44b94d7042a',0);
INSERT INTO "consignment" VALUES(10,'kit',2,4,5,'folder:{folder}/drop','uk','outstanding',NULL,'326f3e5967aae2534942e55a152df44b94d7042a',0);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, branch TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
  expected TEXT, base TEXT NOT NULL, commits TEXT NOT NULL, units INTEGER NOT NULL, created REAL NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planned', 'pushed', 'settled', 'abandoned')));
INSERT INTO "delivery" VALUES(1,'kit','main','b5f0a76b013d54152b593ab9edcda3636f6cd892','l10n/main',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892','c4598f6144fedd952fb9a40a3933a8bce64fad7c',0,1.7955168096983366013e+09,'pushed');
INSERT INTO "delivery" VALUES(2,'kit','main','b5f0a76b013d54152b593ab9edcda3636f6cd892','l10n/main','c4598f6144fedd952fb9a40a3933a8bce64fad7c','c4598f6144fedd952fb9a40a3933a8bce64fad7c','ad281348bcec8683d90eca0ff3a75d3e02757c27',4,1.79551681058049964899e+09,'pushed');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('0001 runs, jobs, rounds and deliveries');
INSERT INTO "grdb_migrations" VALUES('0002 provenance');
CREATE TABLE job (
  id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run (id), pipeline TEXT NOT NULL,
  stage TEXT NOT NULL, scope TEXT NOT NULL, lane TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')),
  due REAL, lease_owner TEXT, lease_until REAL, failure TEXT, failed_at REAL,
  attempts INTEGER NOT NULL, version INTEGER NOT NULL, created REAL NOT NULL,
  UNIQUE (run_id, stage, scope));
INSERT INTO "job" VALUES(1,1,'kit','extract','','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.7955168096159994602e+09);
INSERT INTO "job" VALUES(2,1,'kit','pull','folder:{folder}/drop#again 1795516809','vendor folder:{folder}/drop','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551680961751461028e+09);
INSERT INTO "job" VALUES(3,1,'kit','diff','','round','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.7955168096746275425e+09);
INSERT INTO "job" VALUES(4,1,'kit','push','folder:{folder}/drop#','vendor folder:{folder}/drop','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551680969833421701e+09);
INSERT INTO "job" VALUES(5,1,'kit','merge','','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.7955168096983366013e+09);
INSERT INTO "job" VALUES(6,1,'kit','pull','folder:{folder}/drop#round 1','vendor folder:{folder}/drop','succeeded',NULL,NULL,NULL,NULL,NULL,1,8,1.79551680977760744098e+09);
INSERT INTO "job" VALUES(7,1,'kit','deliver','c4598f6144fedd952fb9a40a3933a8bce64fad7c','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551680980069732667e+09);
INSERT INTO "job" VALUES(8,1,'kit','merge','arrivals 4','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681058049964899e+09);
INSERT INTO "job" VALUES(9,1,'kit','deliver','ad281348bcec8683d90eca0ff3a75d3e02757c27','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681064936208718e+09);
INSERT INTO "job" VALUES(10,2,'kit','extract','','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681107820653915e+09);
INSERT INTO "job" VALUES(11,2,'kit','diff','','round','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681117888498303e+09);
INSERT INTO "job" VALUES(12,2,'kit','push','folder:{folder}/drop#','vendor folder:{folder}/drop','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681118769359589e+09);
INSERT INTO "job" VALUES(13,2,'kit','merge','','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681118769502643e+09);
INSERT INTO "job" VALUES(14,2,'kit','pull','folder:{folder}/drop#round 2','vendor folder:{folder}/drop','waiting',1.7955168162348787784e+09,NULL,NULL,NULL,NULL,0,2,1.79551681122173833844e+09);
INSERT INTO "job" VALUES(15,2,'kit','merge','arrivals 4','branch main','succeeded',NULL,NULL,NULL,NULL,NULL,1,2,1.79551681123487877843e+09);
CREATE TABLE placement (
  arrival_id INTEGER NOT NULL REFERENCES arrival (id), branch TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('delivered', 'settled', 'held', 'passed over')),
  reviewed TEXT NOT NULL, reason TEXT, translation TEXT, delivery_id INTEGER REFERENCES delivery (id),
  PRIMARY KEY (arrival_id, branch)) WITHOUT ROWID;
INSERT INTO "placement" VALUES(1,'main','delivered','c4598f6144fedd952fb9a40a3933a8bce64fad7c',NULL,'a12dd099895e819e240618295206669a',2);
INSERT INTO "placement" VALUES(2,'main','delivered','c4598f6144fedd952fb9a40a3933a8bce64fad7c',NULL,'192c9093216d7c73bcf59aabebefabfb',2);
INSERT INTO "placement" VALUES(3,'main','delivered','c4598f6144fedd952fb9a40a3933a8bce64fad7c',NULL,'d60efb5e9230dcb5324b9562926cb868',2);
INSERT INTO "placement" VALUES(4,'main','delivered','c4598f6144fedd952fb9a40a3933a8bce64fad7c',NULL,'5eadb60870f7d61c7fddfd08d2ff6519',2);
CREATE TABLE rename (
  pipeline TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (pipeline, old)) WITHOUT ROWID;
CREATE TABLE round (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, number INTEGER NOT NULL, created REAL NOT NULL,
  cancelled INTEGER NOT NULL DEFAULT 0,
  UNIQUE (pipeline, number));
INSERT INTO "round" VALUES(1,'kit',1,1.7955168096746275425e+09,0);
INSERT INTO "round" VALUES(2,'kit',2,1.79551681117888498303e+09,0);
CREATE TABLE run (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL,
  created REAL NOT NULL, pending_since REAL,
  UNIQUE (pipeline, branch, commit_id));
INSERT INTO "run" VALUES(1,'kit','main','b5f0a76b013d54152b593ab9edcda3636f6cd892',1.7955168096159994602e+09,NULL);
INSERT INTO "run" VALUES(2,'kit','main','326f3e5967aae2534942e55a152df44b94d7042a',1.79551681107820653915e+09,1.79551681107820653915e+09);
CREATE TABLE shipment (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, round_id INTEGER NOT NULL REFERENCES round (id),
  vendor TEXT NOT NULL, language TEXT NOT NULL, source_language TEXT NOT NULL, receipt TEXT, sent_at REAL,
  UNIQUE (round_id, vendor, language));
INSERT INTO "shipment" VALUES(1,'kit',1,'folder:{folder}/drop','de','en','{"reference":"kit-1-de.xcloc.zip","units":4,"wasThere":false}',1.79551680975774121283e+09);
INSERT INTO "shipment" VALUES(2,'kit',1,'folder:{folder}/drop','uk','en','{"units":4,"wasThere":false,"reference":"kit-1-uk.xcloc.zip"}',1.79551680977733707422e+09);
INSERT INTO "shipment" VALUES(3,'kit',2,'folder:{folder}/drop','de','en','{"reference":"kit-2-de.xcloc.zip","wasThere":false,"units":1}',1.79551681121719145777e+09);
INSERT INTO "shipment" VALUES(4,'kit',2,'folder:{folder}/drop','uk','en','{"reference":"kit-2-uk.xcloc.zip","wasThere":false,"units":1}',1.79551681122137832638e+09);
CREATE TABLE source (
  id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, catalog TEXT NOT NULL, key TEXT NOT NULL, pin TEXT NOT NULL,
  canonical TEXT NOT NULL, forms BLOB, commit_id TEXT NOT NULL, author TEXT NOT NULL, brought_commit TEXT, brought_author TEXT, brought_seconds INTEGER,
  UNIQUE (pipeline, catalog, key, pin));
INSERT INTO "source" VALUES(1,'kit','Sources/Kit/Resources/Localizable.xcstrings','%lld birds','4657aeae340c7eca1888a95928dea6b5',' 10:%lld birds',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892','Ann',NULL,NULL,NULL);
INSERT INTO "source" VALUES(2,'kit','Sources/Kit/Resources/Localizable.xcstrings','Good bye','abfbab076246d59ccd9fd4208401544f',' 8:Good bye',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892','Ann',NULL,NULL,NULL);
INSERT INTO "source" VALUES(3,'kit','Sources/Kit/Resources/Localizable.xcstrings','Hello','36261e7328428c4a1f61a63421e7f98d',' 5:Hello',NULL,'b5f0a76b013d54152b593ab9edcda3636f6cd892','Ann',NULL,NULL,NULL);
INSERT INTO "source" VALUES(4,'kit','Sources/Kit/Resources/Localizable.xcstrings','title','f09b6446563b3977be91615f25fa5336',' 16:Birds of the day',X'00036E6577104269726473206F66207468652064617900','b5f0a76b013d54152b593ab9edcda3636f6cd892','Ann',NULL,NULL,NULL);
INSERT INTO "source" VALUES(5,'kit','Sources/Kit/Resources/Localizable.xcstrings','title','b203112d4502165214a8b3ad52eccb89',' 14:Birds of today',X'00036E65770E4269726473206F6620746F64617900','326f3e5967aae2534942e55a152df44b94d7042a','Ann','326f3e5967aae2534942e55a152df44b94d7042a','Ann',1700000000);
CREATE INDEX job_unfinished ON job (pipeline, state) WHERE state IN ('queued', 'running', 'waiting');
CREATE INDEX consignment_state ON consignment (pipeline, state);
CREATE INDEX consignment_shipment ON consignment (shipment_id);
CREATE INDEX consignment_source ON consignment (source_id, language);
CREATE INDEX consignment_vendor ON consignment (pipeline, vendor, language);
CREATE UNIQUE INDEX consignment_outstanding ON consignment (source_id, language) WHERE state = 'outstanding';
CREATE TRIGGER consignment_sent AFTER INSERT ON consignment BEGIN
  SELECT RAISE(ABORT, 'a consignment begins outstanding') WHERE NEW.state <> 'outstanding';
  INSERT INTO books (round_id, vendor, language, sent, outstanding)
    VALUES (NEW.round_id, NEW.vendor, NEW.language, 1, 1)
    ON CONFLICT DO UPDATE SET sent = sent + 1, outstanding = outstanding + 1;
END;
CREATE TRIGGER consignment_moved AFTER UPDATE OF state ON consignment WHEN OLD.state <> NEW.state BEGIN
  UPDATE books SET
    returned = returned + (NEW.state = 'returned') - (OLD.state = 'returned'),
    outstanding = outstanding + (NEW.state = 'outstanding') - (OLD.state = 'outstanding'),
    withdrawn = withdrawn + (NEW.state = 'withdrawn') - (OLD.state = 'withdrawn'),
    superseded = superseded + (NEW.state = 'superseded') - (OLD.state = 'superseded')
  WHERE round_id = NEW.round_id AND vendor = NEW.vendor AND language = NEW.language;
END;
CREATE TRIGGER consignment_kept BEFORE DELETE ON consignment BEGIN
  SELECT RAISE(ABORT, 'a consignment is never deleted');
END;
CREATE INDEX arrival_unit ON arrival (pipeline, key, catalog, language);
CREATE INDEX arrival_source ON arrival (source_id, language);
CREATE INDEX delivery_branch ON delivery (pipeline, branch, state);
CREATE INDEX placement_delivery ON placement (delivery_id) WHERE delivery_id IS NOT NULL;
COMMIT;
