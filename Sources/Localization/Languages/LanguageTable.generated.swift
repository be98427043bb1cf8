// CLDR 47, written by plural-rules (`make plural-rules`); not to be edited.
// Data: Unicode License V3, © 2004-2025 Unicode, Inc.

/// CLDR's aliases of languages and regions, and the likely script and region of each language.
enum LanguageTable {
  /// The version of the data.
  static let version = "47"
  /// `old=new`: names of languages. A new name can have a script or region.
  // swift-format-ignore
  static let languages = """
    aam=aas aar=aa abk=ab adp=dz afr=af agp=apf ais=ami ajp=apc ajt=aeb aju=jrb aka=ak alb=sq
    als=sq amh=am ara=ar arb=ar arg=an arm=hy asd=snz asm=as aue=ktz ava=av ave=ae aym=ay
    ayr=ay ayx=nun aze=az azj=az bak=ba bam=bm baq=eu baz=nvo bcc=bal bcl=bik bel=be ben=bn
    bgm=bcg bh=bho bhk=fbl bic=bir bih=bho bis=bi bjd=drl bjq=bzc bkb=ebk blg=iba bod=bo bos=bs
    bre=br btb=beb bul=bg bur=my bxk=luy bxr=bua cat=ca ccq=rki ces=cs cha=ch che=ce chi=zh
    chu=cu chv=cv cjr=mom cka=cmr cld=syr cls=sa cmk=xch cmn=zh cnr=sr-ME cor=kw cos=co coy=pij
    cqu=quh cre=cr cwd=cr cym=cy cze=cs daf=dnj dan=da dap=njz deu=de dgo=doi dhd=mwr dik=din
    diq=zza dit=dif div=dv djl=dze dkl=aqd drh=mn drr=kzk drw=fa-AF dud=uth duj=dwu dut=nl dwl=dbt
    dzo=dz ekk=et ell=el elp=amq emk=man eng=en epo=eo esk=ik est=et eus=eu ewe=ee fao=fo
    fas=fa fat=ak fij=fj fin=fi fra=fr fre=fr fry=fy fuc=ff ful=ff gav=dev gaz=om gbc=wny
    gbo=grb geo=ka ger=de gfx=vaj ggn=gvr ggo=esg ggr=gtu gio=aou gla=gd gle=ga glg=gl gli=kzk
    glv=gv gno=gon gom=kok gre=el grn=gn gti=nyc gug=gn guj=gu guv=duz gya=gba hat=ht hau=ha
    hbs=sr-Latn hdn=hai hea=hmn heb=he her=hz him=srx hin=hi hmo=ho hrr=jal hrv=hr hun=hu hye=hy
    ibi=opa ibo=ig ice=is ido=io iii=ii ike=iu iku=iu ile=ie ill=ilm ilw=gal in=id ina=ia
    ind=id ipk=ik isl=is ita=it iw=he izi=eza jar=jgk jav=jv jeg=oyb ji=yi jpn=ja jw=jv
    kal=kl kan=kn kas=ks kat=ka kau=kr kaz=kk kdv=zkd kgc=tdf kgd=ncq kgh=kml kgm=plu khk=mn
    khm=km kik=ki kin=rw kir=ky kmr=ku knc=kr kng=kg koj=kwv kom=kv kon=kg kor=ko kpp=jkm
    kpv=kv krm=bmf ktr=dtp kua=kj kur=ku kvs=gdj kwq=yam kxe=tvd kxl=kru kzh=dgl kzj=dtp kzt=dtp
    lak=ksp lao=lo lat=la lav=lv lbk=bnc leg=enl lii=raq lim=li lin=ln lit=lt llo=ngt lmm=rmx
    ltz=lb lub=lu lug=lg lvs=lv mac=mk mah=mh mal=ml mao=mi mar=mr may=ms meg=cir mgx=jbk
    mhr=chm mkd=mk mlg=mg mlt=mt mnk=man mnt=wnn mo=ro mof=xnt mol=ro mon=mn mri=mi msa=ms
    mst=mry mup=raj mwd=dmw mwj=vaj mya=my myd=aog myt=mry nad=xny nau=na nav=nv nbf=nru nbl=nr
    nbx=gll ncp=kdz nde=nd ndo=ng nep=ne nld=nl nln=azd nlr=nrk nno=nn nns=nbr nnx=ngv nob=nb
    nom=cbr noo=dtd nor=no npi=ne nts=pij nxu=bpp nya=ny oci=oc ojg=oj oji=oj ori=or orm=om
    ory=or oss=os oun=vaj pan=pa pat=kxr pbu=ps pcr=adx per=fa pes=fa pli=pi plt=mg pmc=huw
    pmk=crr pmu=phr pnb=lah pol=pl por=pt ppa=bfy ppr=lcq prp=gu prs=fa-AF pry=prt pus=ps puz=pub
    que=qu quz=qu rmr=emx rmy=rom roh=rm ron=ro rum=ro run=rn rus=ru sag=sg san=sa sap=aqt
    sca=hle scc=sr scr=hr sgl=isk sh=sr-Latn sin=si skk=oyb slk=sk slo=sk slv=sl smd=kmb sme=se
    smo=sm sna=sn snb=iba snd=sd som=so sot=st spa=es spy=kln sqi=sq src=sc srd=sc srp=sr
    ssw=ss sul=sgd sum=ulw sun=su swa=sw swc=sw-CD swe=sv swh=sw szd=umi tah=ty tam=ta tat=tt
    tdu=dtp tel=te tgg=bjp tgk=tg tgl=fil tha=th thc=tpo thw=ola thx=oyb tib=bo tid=itd tie=ras
    tir=ti tkk=twm tl=fil tlw=weo tmk=tdg tmp=tyj tne=kak tnf=fa-AF ton=to tpw=tpn tsf=taj tsn=tn
    tso=ts ttq=tmh tuk=tk tur=tr tw=ak twi=ak uig=ug ukr=uk umu=del unp=wro uok=ema urd=ur
    uzb=uz uzn=uz ven=ve vie=vi vol=vo wel=cy wgw=wgb wit=nol wiw=nwo wln=wa wol=wo xba=cax
    xho=xh xia=acn xkh=waw xpe=kpe xrq=dmw xsj=suj xsl=den xss=zko ybd=rki ydd=yi yen=ynq yid=yi
    yiy=yrm yma=lrr ymt=mtm yor=yo yos=zom yuu=yug zai=zap zha=za zho=zh zir=scv zkb=kjh zsm=ms
    zul=zu zyb=za
    """
  /// `old=new`: regions.
  // swift-format-ignore
  static let regions = """
    BU=MM CT=KI DD=DE DY=BJ FX=FR HV=BF JT=UM MI=UM NH=VU NQ=AQ PU=UM PZ=PA
    QU=EU RH=ZW TP=TL UK=GB VD=VN WK=UM YD=YE ZR=CD
    """
  /// `given identifier=full identifier`.
  // swift-format-ignore
  static let likely = """
    aa=aa-Latn-ET aas=aas-Latn-TZ ab=ab-Cyrl-GE acn=acn-Latn-CN adx=adx-Tibt-CN ae=ae-Avst-IR aeb=aeb-Arab-TN af=af-Latn-ZA ak=ak-Latn-GH am=am-Ethi-ET ami=ami-Latn-TW amq=amq-Latn-ID
    an=an-Latn-ES aog=aog-Latn-PG apc=apc-Arab-SY apf=apf-Latn-PH aqd=aqd-Latn-ML aqt=aqt-Latn-PY ar=ar-Arab-EG ars=ars-Arab-SA as=as-Beng-IN asa=asa-Latn-TZ ast=ast-Latn-ES av=av-Cyrl-RU
    ay=ay-Latn-BO az=az-Latn-AZ az-Arab=az-Arab-IR az-IQ=az-Arab-IQ az-IR=az-Arab-IR az-RU=az-Cyrl-RU azd=azd-Latn-MX ba=ba-Cyrl-RU bal=bal-Arab-PK bcg=bcg-Latn-GN be=be-Cyrl-BY beb=beb-Latn-CM
    bem=bem-Latn-ZM bez=bez-Latn-TZ bfy=bfy-Deva-IN bg=bg-Cyrl-BG bho=bho-Deva-IN bi=bi-Latn-VU bik=bik-Latn-PH bir=bir-Latn-PG bjp=bjp-Latn-PG blo=blo-Latn-BJ bm=bm-Latn-ML bmf=bmf-Latn-SL
    bn=bn-Beng-BD bnc=bnc-Latn-PH bo=bo-Tibt-CN bpp=bpp-Latn-ID br=br-Latn-FR brx=brx-Deva-IN bs=bs-Latn-BA bua=bua-Cyrl-RU bzc=bzc-Latn-MG ca=ca-Latn-ES cax=cax-Latn-BO cbr=cbr-Latn-PE
    ce=ce-Cyrl-RU ceb=ceb-Latn-PH cgg=cgg-Latn-UG ch=ch-Latn-GU chm=chm-Cyrl-RU chr=chr-Cher-US cir=cir-Latn-NC ckb=ckb-Arab-IQ cmr=cmr-Latn-MM co=co-Latn-FR cr=cr-Cans-CA cs=cs-Latn-CZ
    csw=csw-Cans-CA cu=cu-Cyrl-RU cu-Glag=cu-Glag-BG cv=cv-Cyrl-RU cy=cy-Latn-GB da=da-Latn-DK dbt=dbt-Latn-ML de=de-Latn-DE del=del-Latn-US den=den-Latn-CA dev=dev-Latn-PG dgl=dgl-Arab-SD
    dif=dif-Latn-AU din=din-Latn-SS dmw=dmw-Latn-AU dnj=dnj-Latn-CI doi=doi-Deva-IN drl=drl-Latn-AU dsb=dsb-Latn-DE dtd=dtd-Latn-CA dtp=dtp-Latn-MY duz=duz-Latn-CM dv=dv-Thaa-MV dwu=dwu-Latn-AU
    dz=dz-Tibt-BT dze=dze-Latn-AU ebk=ebk-Latn-PH ee=ee-Latn-GH el=el-Grek-GR ema=ema-Latn-NG emx=emx-Latn-FR en=en-Latn-US en-Shaw=en-Shaw-GB enl=enl-Latn-PY eo=eo-Latn-001 es=es-Latn-ES
    esg=esg-Gonm-IN et=et-Latn-EE eu=eu-Latn-ES eza=eza-Latn-NG fa=fa-Arab-IR fbl=fbl-Latn-PH ff=ff-Latn-SN ff-Adlm=ff-Adlm-GN fi=fi-Latn-FI fil=fil-Latn-PH fj=fj-Latn-FJ fo=fo-Latn-FO
    fr=fr-Latn-FR fur=fur-Latn-IT fy=fy-Latn-NL ga=ga-Latn-IE gal=gal-Latn-TL gba=gba-Latn-CF gd=gd-Latn-GB gdj=gdj-Latn-AU gl=gl-Latn-ES gll=gll-Latn-AU gn=gn-Latn-PY gon=gon-Deva-IN
    grb=grb-Latn-LR gsw=gsw-Latn-CH gtu=gtu-Latn-AU gu=gu-Gujr-IN guw=guw-Latn-BJ gv=gv-Latn-IM gvr=gvr-Deva-NP ha=ha-Latn-NG ha-CM=ha-Arab-CM ha-SD=ha-Arab-SD hai=hai-Latn-CA haw=haw-Latn-US
    he=he-Hebr-IL hi=hi-Deva-IN hmn=hmn-Latn-CN hnj=hnj-Hmnp-US hnj-Hmng=hnj-Hmng-LA ho=ho-Latn-PG hr=hr-Latn-HR hsb=hsb-Latn-DE ht=ht-Latn-HT hu=hu-Latn-HU huw=huw-Latn-ID hy=hy-Armn-AM
    hz=hz-Latn-NA ia=ia-Latn-001 iba=iba-Latn-MY id=id-Latn-ID ie=ie-Latn-EE ig=ig-Latn-NG ii=ii-Yiii-CN ik=ik-Latn-US ilm=ilm-Latn-MY io=io-Latn-001 is=is-Latn-IS isk=isk-Arab-AF
    it=it-Latn-IT itd=itd-Latn-ID iu=iu-Cans-CA ja=ja-Jpan-JP jal=jal-Latn-ID jbk=jbk-Latn-PG jbo=jbo-Latn-001 jgk=jgk-Latn-NG jgo=jgo-Latn-CM jkm=jkm-Mymr-MM jmc=jmc-Latn-TZ jrb=jrb-Hebr-IL
    jv=jv-Latn-ID jw=jw-Latn-ID ka=ka-Geor-GE kab=kab-Latn-DZ kaj=kaj-Latn-NG kak=kak-Latn-PH kcg=kcg-Latn-NG kde=kde-Latn-TZ kdz=kdz-Latn-CM kea=kea-Latn-CV kg=kg-Latn-CD ki=ki-Latn-KE
    kj=kj-Latn-NA kjh=kjh-Cyrl-RU kk=kk-Cyrl-KZ kk-AF=kk-Arab-AF kk-Arab=kk-Arab-CN kk-CN=kk-Arab-CN kk-IR=kk-Arab-IR kk-MN=kk-Arab-MN kkj=kkj-Latn-CM kl=kl-Latn-GL kln=kln-Latn-KE km=km-Khmr-KH
    kmb=kmb-Latn-AO kml=kml-Latn-PH kn=kn-Knda-IN ko=ko-Kore-KR kok=kok-Deva-IN kpe=kpe-Latn-LR kr=kr-Latn-NG kru=kru-Deva-IN ks=ks-Arab-IN ksb=ksb-Latn-TZ ksh=ksh-Latn-DE ksp=ksp-Latn-CF
    ktz=ktz-Latn-NA ku=ku-Latn-TR ku-Arab=ku-Arab-IQ ku-LB=ku-Arab-LB ku-Yezi=ku-Yezi-GE kv=kv-Cyrl-RU kw=kw-Latn-GB kwv=kwv-Latn-TD kxr=kxr-Latn-PG ky=ky-Cyrl-KG ky-Arab=ky-Arab-CN ky-CN=ky-Arab-CN
    ky-Latn=ky-Latn-TR ky-TR=ky-Latn-TR kzk=kzk-Latn-SB la=la-Latn-VA lag=lag-Latn-TZ lah=lah-Arab-PK lb=lb-Latn-LU lcq=lcq-Latn-ID lg=lg-Latn-UG li=li-Latn-NL lij=lij-Latn-IT lkt=lkt-Latn-US
    lld=lld-Latn-IT ln=ln-Latn-CD lo=lo-Laoo-LA lt=lt-Latn-LT lu=lu-Latn-CD luy=luy-Latn-KE lv=lv-Latn-LV man=man-Latn-GM man-Nkoo=man-Nkoo-GN mas=mas-Latn-KE mg=mg-Latn-MG mgo=mgo-Latn-CM
    mh=mh-Latn-MH mi=mi-Latn-NZ mk=mk-Cyrl-MK ml=ml-Mlym-IN mn=mn-Cyrl-MN mn-CN=mn-Mong-CN mn-Mong=mn-Mong-CN mo=mo-Latn-RO mom=mom-Latn-NI mr=mr-Deva-IN mry=mry-Latn-PH ms=ms-Latn-MY
    ms-CC=ms-Arab-CC mt=mt-Latn-MT mtm=mtm-Cyrl-RU mwr=mwr-Deva-IN my=my-Mymr-MM na=na-Latn-NR naq=naq-Latn-NA nb=nb-Latn-NO nbr=nbr-Latn-NG ncq=ncq-Laoo-LA nd=nd-Latn-ZW ne=ne-Deva-NP
    ng=ng-Latn-NA ngt=ngt-Laoo-LA ngv=ngv-Latn-CM njz=njz-Latn-IN nl=nl-Latn-NL nn=nn-Latn-NO nnh=nnh-Latn-CM no=no-Latn-NO nqo=nqo-Nkoo-GN nr=nr-Latn-ZA nrk=nrk-Latn-AU nru=nru-Latn-CN
    nso=nso-Latn-ZA nun=nun-Latn-MM nv=nv-Latn-US nvo=nvo-Latn-CM nwo=nwo-Latn-AU ny=ny-Latn-MW nyc=nyc-Latn-CD nyn=nyn-Latn-UG oc=oc-Latn-FR oj=oj-Cans-CA ola=ola-Deva-NP om=om-Latn-ET
    opa=opa-Latn-NG or=or-Orya-IN os=os-Cyrl-GE osa=osa-Osge-US pa=pa-Guru-IN pa-Arab=pa-Arab-PK pa-PK=pa-Arab-PK pap=pap-Latn-CW pcm=pcm-Latn-NG phr=phr-Arab-PK pi=pi-Sinh-IN pij=pij-Latn-CO
    pl=pl-Latn-PL plu=plu-Latn-BR prg=prg-Latn-PL prt=prt-Thai-TH ps=ps-Arab-AF pt=pt-Latn-BR pub=pub-Latn-IN qu=qu-Latn-PE raj=raj-Deva-IN rki=rki-Mymr-MM rm=rm-Latn-CH rmx=rmx-Latn-VN
    rn=rn-Latn-BI ro=ro-Latn-RO rof=rof-Latn-TZ rom=rom-Latn-RO ru=ru-Cyrl-RU rw=rw-Latn-RW rwk=rwk-Latn-TZ sa=sa-Deva-IN sah=sah-Cyrl-RU saq=saq-Latn-KE sat=sat-Olck-IN sc=sc-Latn-IT
    scn=scn-Latn-IT scv=scv-Latn-NG sd=sd-Arab-PK sd-Deva=sd-Deva-IN sd-IN=sd-Deva-IN sd-Khoj=sd-Khoj-IN sd-Sind=sd-Sind-IN sdh=sdh-Arab-IR se=se-Latn-NO seh=seh-Latn-MZ ses=ses-Latn-ML sg=sg-Latn-CF
    sgd=sgd-Latn-PH shi=shi-Tfng-MA si=si-Sinh-LK sk=sk-Latn-SK sl=sl-Latn-SI sm=sm-Latn-WS sma=sma-Latn-SE smj=smj-Latn-SE smn=smn-Latn-FI sms=sms-Latn-FI sn=sn-Latn-ZW snz=snz-Latn-PG
    so=so-Latn-SO sq=sq-Latn-AL sr=sr-Cyrl-RS sr-ME=sr-Latn-ME sr-RO=sr-Latn-RO sr-TR=sr-Latn-TR srx=srx-Deva-IN ss=ss-Latn-ZA ssy=ssy-Latn-ER st=st-Latn-ZA su=su-Latn-ID suj=suj-Latn-TZ
    sv=sv-Latn-SE sw=sw-Latn-TZ syr=syr-Syrc-IQ ta=ta-Taml-IN taj=taj-Deva-NP tdg=tdg-Deva-NP te=te-Telu-IN teo=teo-Latn-UG tg=tg-Cyrl-TJ tg-Arab=tg-Arab-PK tg-PK=tg-Arab-PK th=th-Thai-TH
    ti=ti-Ethi-ET tig=tig-Ethi-ER tk=tk-Latn-TM tl=tl-Latn-PH tmh=tmh-Latn-NE tn=tn-Latn-ZA to=to-Latn-TO tpi=tpi-Latn-PG tpn=tpn-Latn-BR tr=tr-Latn-TR ts=ts-Latn-ZA tt=tt-Cyrl-RU
    tvd=tvd-Latn-NG twm=twm-Deva-IN ty=ty-Latn-PF tyj=tyj-Latn-VN tzm=tzm-Latn-MA ug=ug-Arab-CN ug-Cyrl=ug-Cyrl-KZ ug-KZ=ug-Cyrl-KZ ug-MN=ug-Cyrl-MN uk=uk-Cyrl-UA ulw=ulw-Latn-NI umi=umi-Latn-MY
    ur=ur-Arab-PK uth=uth-Latn-NG uz=uz-Latn-UZ uz-AF=uz-Arab-AF uz-Arab=uz-Arab-AF uz-CN=uz-Cyrl-CN vaj=vaj-Latn-NA ve=ve-Latn-ZA vec=vec-Latn-IT vi=vi-Latn-VN vo=vo-Latn-001 vun=vun-Latn-TZ
    wa=wa-Latn-BE wae=wae-Latn-CH waw=waw-Latn-BR weo=weo-Latn-ID wgb=wgb-Latn-PG wnn=wnn-Latn-AU wny=wny-Latn-AU wo=wo-Latn-SN wro=wro-Latn-AU xch=xch-Latn-US xh=xh-Latn-ZA xnt=xnt-Latn-US
    xny=xny-Latn-AU xog=xog-Latn-UG yam=yam-Latn-CM yi=yi-Hebr-UA ynq=ynq-Latn-NG yo=yo-Latn-NG yrm=yrm-Latn-AU yue=yue-Hant-HK yue-CN=yue-Hans-CN yue-Hans=yue-Hans-CN yug=yug-Cyrl-RU za=za-Latn-CN
    zap=zap-Latn-MX zh=zh-Hans-CN zh-AU=zh-Hant-AU zh-BN=zh-Hant-BN zh-Bopo=zh-Bopo-TW zh-GB=zh-Hant-GB zh-GF=zh-Hant-GF zh-HK=zh-Hant-HK zh-Hanb=zh-Hanb-TW zh-Hant=zh-Hant-TW zh-ID=zh-Hant-ID zh-MO=zh-Hant-MO
    zh-PA=zh-Hant-PA zh-PF=zh-Hant-PF zh-PH=zh-Hant-PH zh-SR=zh-Hant-SR zh-TH=zh-Hant-TH zh-TW=zh-Hant-TW zh-US=zh-Hant-US zh-VN=zh-Hant-VN zkd=zkd-Latn-MM zko=zko-Cyrl-RU zom=zom-Latn-IN zu=zu-Latn-ZA
    zza=zza-Latn-TR
    """
  /// `region=the language that most people there speak`.
  // swift-format-ignore
  static let ofRegions = """
    AD=ca-Latn-AD AE=ar-Arab-AE AF=fa-Arab-AF AL=sq-Latn-AL AM=hy-Armn-AM AO=pt-Latn-AO AR=es-Latn-AR AS=sm-Latn-AS AT=de-Latn-AT AW=nl-Latn-AW AX=sv-Latn-AX AZ=az-Latn-AZ
    BA=bs-Latn-BA BD=bn-Beng-BD BE=nl-Latn-BE BF=fr-Latn-BF BG=bg-Cyrl-BG BH=ar-Arab-BH BI=rn-Latn-BI BJ=fr-Latn-BJ BL=fr-Latn-BL BN=ms-Latn-BN BO=es-Latn-BO BQ=pap-Latn-BQ
    BR=pt-Latn-BR BT=dz-Tibt-BT BV=no-Latn-BV BY=be-Cyrl-BY CC=ms-Arab-CC CD=fr-Latn-CD CF=sg-Latn-CF CG=fr-Latn-CG CH=de-Latn-CH CI=fr-Latn-CI CL=es-Latn-CL CM=fr-Latn-CM
    CN=zh-Hans-CN CO=es-Latn-CO CR=es-Latn-CR CU=es-Latn-CU CV=pt-Latn-CV CW=pap-Latn-CW CY=el-Grek-CY CZ=cs-Latn-CZ DE=de-Latn-DE DJ=fr-Latn-DJ DK=da-Latn-DK DO=es-Latn-DO
    DZ=ar-Arab-DZ EA=es-Latn-EA EC=es-Latn-EC EE=et-Latn-EE EG=ar-Arab-EG EH=ar-Arab-EH ER=ti-Ethi-ER ES=es-Latn-ES ET=am-Ethi-ET FI=fi-Latn-FI FO=fo-Latn-FO FR=fr-Latn-FR
    GA=fr-Latn-GA GE=ka-Geor-GE GF=fr-Latn-GF GH=ak-Latn-GH GL=kl-Latn-GL GN=fr-Latn-GN GP=fr-Latn-GP GQ=es-Latn-GQ GR=el-Grek-GR GT=es-Latn-GT GW=pt-Latn-GW HK=zh-Hant-HK
    HN=es-Latn-HN HR=hr-Latn-HR HT=ht-Latn-HT HU=hu-Latn-HU IC=es-Latn-IC ID=id-Latn-ID IL=he-Hebr-IL IN=hi-Deva-IN IQ=ar-Arab-IQ IR=fa-Arab-IR IS=is-Latn-IS IT=it-Latn-IT
    JO=ar-Arab-JO JP=ja-Jpan-JP KE=sw-Latn-KE KG=ky-Cyrl-KG KH=km-Khmr-KH KM=ar-Arab-KM KP=ko-Kore-KP KR=ko-Kore-KR KW=ar-Arab-KW KZ=ru-Cyrl-KZ LA=lo-Laoo-LA LB=ar-Arab-LB
    LI=de-Latn-LI LK=si-Sinh-LK LS=st-Latn-LS LT=lt-Latn-LT LU=fr-Latn-LU LV=lv-Latn-LV LY=ar-Arab-LY MA=ar-Arab-MA MC=fr-Latn-MC MD=ro-Latn-MD ME=sr-Latn-ME MF=fr-Latn-MF
    MG=mg-Latn-MG MK=mk-Cyrl-MK ML=bm-Latn-ML MM=my-Mymr-MM MN=mn-Cyrl-MN MO=zh-Hant-MO MQ=fr-Latn-MQ MR=ar-Arab-MR MT=mt-Latn-MT MU=fr-Latn-MU MV=dv-Thaa-MV MX=es-Latn-MX
    MY=ms-Latn-MY MZ=pt-Latn-MZ NA=af-Latn-NA NC=fr-Latn-NC NE=ha-Latn-NE NI=es-Latn-NI NL=nl-Latn-NL NO=nb-Latn-NO NP=ne-Deva-NP OM=ar-Arab-OM PA=es-Latn-PA PE=es-Latn-PE
    PF=fr-Latn-PF PG=tpi-Latn-PG PH=fil-Latn-PH PK=ur-Arab-PK PL=pl-Latn-PL PM=fr-Latn-PM PR=es-Latn-PR PS=ar-Arab-PS PT=pt-Latn-PT PW=pau-Latn-PW PY=gn-Latn-PY QA=ar-Arab-QA
    RE=fr-Latn-RE RO=ro-Latn-RO RS=sr-Cyrl-RS RU=ru-Cyrl-RU RW=rw-Latn-RW SA=ar-Arab-SA SC=fr-Latn-SC SD=ar-Arab-SD SE=sv-Latn-SE SI=sl-Latn-SI SJ=nb-Latn-SJ SK=sk-Latn-SK
    SM=it-Latn-SM SN=wo-Latn-SN SO=so-Latn-SO SR=nl-Latn-SR SS=ar-Arab-SS ST=pt-Latn-ST SV=es-Latn-SV SY=ar-Arab-SY TD=ar-Arab-TD TF=fr-Latn-TF TG=fr-Latn-TG TH=th-Thai-TH
    TJ=tg-Cyrl-TJ TK=tkl-Latn-TK TL=pt-Latn-TL TM=tk-Latn-TM TN=ar-Arab-TN TO=to-Latn-TO TR=tr-Latn-TR TV=tvl-Latn-TV TW=zh-Hant-TW TZ=sw-Latn-TZ UA=uk-Cyrl-UA UG=sw-Latn-UG
    UY=es-Latn-UY UZ=uz-Latn-UZ VA=it-Latn-VA VE=es-Latn-VE VN=vi-Latn-VN VU=bi-Latn-VU WF=fr-Latn-WF WS=sm-Latn-WS XK=sq-Latn-XK YE=ar-Arab-YE YT=fr-Latn-YT ZW=sn-Latn-ZW
    """
}
